"""States at the output times."""

from __future__ import annotations

from condyle.solve.loops.interpolation import extra_stages, interpolate_on_manifold
from condyle.solve.native.language import native
from condyle.solve.state import NEW, OK, OUT, SIZE, STARTING, THETA, TIME, TIME_NEW, State

SAME_TIME = 1e-14  # relative; a step that ends this near an output time is the output


@native
def write_outputs(s: State, extras: int) -> None:
    """Write the states at the output times that this step reached, up to `cut` where an event ends the run.

    extras: whether the extra stages of dense output have been evaluated.
    """
    while True:
        inside = 0
        for lane in range(s.width):
            s.flow[THETA, lane] = 0.0
            s.masked[lane] = 0
            if (s.accepted[lane] or s.phase[lane] == STARTING) and s.failed[lane] == OK:
                output = s.output[lane]
                if output < s.n_times:
                    time = s.times[output]
                    new = s.flow[TIME_NEW, lane]
                    if abs(time - new) <= SAME_TIME * abs(new):
                        if s.cut[lane] >= 1.0:
                            for entry in range(s.n):
                                s.states[s.member[lane], output, entry] = s.work[NEW, entry * s.width + lane]
                            s.output[lane] = output + 1
                    elif time < new:
                        theta = (time - s.flow[TIME, lane]) / s.flow[SIZE, lane]
                        if theta <= s.cut[lane]:
                            s.flow[THETA, lane] = theta
                            s.masked[lane] = 1
                            inside += 1
        if inside == 0:
            break
        extra_stages(s, extras)
        extras = 1
        interpolate_on_manifold(s)
        for lane in range(s.width):
            if s.masked[lane]:
                output = s.output[lane]
                for entry in range(s.n):
                    s.states[s.member[lane], output, entry] = s.work[OUT, entry * s.width + lane]
                s.output[lane] = output + 1
