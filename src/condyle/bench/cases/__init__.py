"""Cases of the benchmark: name -> (module, function); each takes `Sizes` and returns a `Row`."""

from __future__ import annotations

CASES: dict[str, tuple[str, str]] = {
    "aba_batch": ("batch", "aba"),
    "aba_loop": ("loop", "aba"),
    "rnea_batch": ("batch", "rnea"),
    "rnea_loop": ("loop", "rnea"),
    "crba_batch": ("batch", "crba"),
    "crba_loop": ("loop", "crba"),
    "rnea_derivatives_batch": ("batch", "rnea_derivatives"),
    "rk4_single": ("rk4", "single"),
    "rk4_lanes": ("rk4", "lanes"),
    "python_call": ("python_call", "python_call"),
    "compile_cold": ("compile_time", "cold"),
    "compile_cached": ("compile_time", "cached"),
    "chain_scaling": ("chain_scaling", "chain_scaling"),
    "threads": ("threads", "threads"),
    "memory_mb": ("memory", "memory"),
    "kinematic_analysis_26": ("drivers_26", "kinematic_analysis"),
    "inverse_dynamics_26": ("drivers_26", "inverse_dynamics"),
    "drivers_e_over_a": ("drivers_26", "e_over_a"),
    "andrews_embedded_over_dae": ("andrews", "embedded_over_dae"),
    "andrews_exudyn": ("andrews", "exudyn"),
    "ankle_minimal": ("ankle", "minimal"),
    "ankle_absolute": ("ankle", "absolute"),
    "n_four_bar_scaling": ("embedded", "scaling"),
    "embedded_lanes": ("embedded", "lanes"),
}
