"""The reversal study: the prescribed motion, and that its checks can fail."""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle.library.shoulder import push_up, reaching
from condyle.studies import reversal


def test_prescribed_rates_are_derivatives():
    """What the study prescribes as accelerations is the derivative of the speeds, in each mechanism's own
    order.
    """
    for model in (reaching(), push_up()):
        mechanism = cd.compile(model)
        step = 1e-6
        u, udot = (np.array(values) for values in reversal.prescribed(mechanism, 0.4))
        before, after = (np.array(reversal.prescribed(mechanism, 0.4 + s)[0]) for s in (-step, step))
        np.testing.assert_allclose((after - before) / (2 * step), udot, rtol=1e-8)
        assert len(u) == len(mechanism.speeds)


def test_the_same_names_in_opposite_order(study):
    """The push-up has the joints of reaching from the other end, under the same names."""
    figures = study("reversal")["figures"]
    one, other = figures["coordinates"], figures["coordinates_push_up"]
    assert sorted(one) == sorted(other) and one != other
    assert one[0].split(".")[0] == other[-1].split(".")[0] == "scapulothoracic"


def test_states_and_loads_agree(study):
    """States to 1e-10 under the same prescribed motion; the root reaction of each is the tip load of the
    other.
    """
    figures = study("reversal")["figures"]
    assert 0 < figures["state_difference"] <= 1e-10
    assert 0 < figures["relative_pose_difference"] <= 1e-10
    assert set(figures["load_difference"]) == {"thorax fixed", "hand fixed"}
    assert 0 < max(figures["load_difference"].values()) <= 1e-12


def test_exchange_of_loads_sees_a_difference():
    """A thorax 1 % heavier at the other end is found: the check of loads is no tautology."""
    rooted = cd.compile(reaching())
    motion = reversal.driven(rooted, np.linspace(0.0, 0.1, 3))

    def heavier(root):
        model = push_up(root)
        bodies = [
            cd.Body("forearm", 1.01 * body.mass, body.center_of_mass, body.inertia)
            if body.name == "forearm"
            else body
            for body in model.bodies
        ]
        return cd.Model(model.name, tuple(bodies), model.joints)

    ends = ("forearm", reversal.HAND, "thorax", (0.0, 0.0, 0.0))
    assert reversal._exchanged(rooted, motion, *ends, push_up) <= 1e-12
    assert reversal._exchanged(rooted, motion, *ends, heavier) > 1e-4
