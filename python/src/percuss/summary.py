"""What a run amounts to, under the keys of `percuss run --json`."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ._interface import ENUMS
from ._found import pair_name
from ._library import lib, text

if TYPE_CHECKING:
    from .result import Result
    from .simulation import Simulation


class Summary(dict):
    """Numbers by their keys, such as "energy.final"; it shows itself as lines."""

    def __repr__(self) -> str:
        width = max((len(k) for k in self), default=0)
        return "\n".join(f"{k:{width}}  {v:.9g}" if isinstance(v, float) else f"{k:{width}}  {v}"
                         for k, v in self.items())


def _balance(b: Any) -> dict[str, float]:
    return {"ledger.work": b.work, "ledger.lost.impact": b.impact, "ledger.lost.friction": b.friction,
            "ledger.lost.scheme": b.scheme}


def _laws(s: Any) -> dict[str, float]:
    found = {"penetration.max": s.penetration_max, "penetration.known.max": s.penetration_known_max,
             "penetration.angle.max": s.overrun_max, "constraint.position.max": s.constraint_position_max,
             "constraint.angle.max": s.constraint_angle_max, "constraint.velocity.max": s.constraint_velocity_max,
             "constraint.rate.max": s.constraint_rate_max}
    if not math.isnan(s.constraint_acceleration_max):
        found["constraint.acceleration.max"] = s.constraint_acceleration_max
    found |= {"impact.residual.max": s.impact_residual_max, "friction.residual.max": s.friction_residual_max}
    return found


def _iterations(s: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for i in range(s.phase_count):
        found[f"iterations.{text(s.phase[i])}.max"] = s.iterations_max[i]
        found[f"iterations.{text(s.phase[i])}.avg"] = s.iterations_avg[i]
    return found


def _answers(s: Any) -> dict[str, int]:
    return {f"solver.answers.{text(lib.pc_method_name(m))}": s.answered[m]
            for m in range(len(ENUMS["pc_method"]) - 1) if s.answered[m]}


def summarize(sim: "Simulation") -> Summary:
    s = lib.pc_sim_summary(sim._sim)
    found: dict[str, Any] = {"model": sim.model.path or sim.model.title, "scheme": sim.scheme, "dt": sim.dt,
                             "steps": s.steps, "time": s.time}
    doubts = sim.verdict.doubts
    found |= {"status": "doubtful" if doubts else "done",
              "warnings": [f"{w.text}; {w.remedy}" for w in [*sim.warnings, *doubts]]}
    found |= _laws(s)
    found |= {"energy.initial": s.energy_initial, "energy.final": s.energy_final,
              "energy.max.increase": s.energy_max_increase}
    found |= _iterations(s)
    found |= {"residual.step.max": s.residual_max, "residual.solver.max": s.solver_residual_max,
              "contacts.active.max": s.contacts_active_max, "events.closed": s.events_closed,
              "events.opened": s.events_opened, "steps_halved": s.trouble.halved}
    if s.trouble.without_rebound:
        found |= {"steps_without_rebound": s.trouble.without_rebound}
    found |= {"steps_inaccurate": s.trouble.inaccurate}
    if s.trouble.inaccurate:
        found |= {"first_inaccurate_step": s.trouble.first_inaccurate, "inaccuracy.max": s.trouble.inaccuracy_max}
    found |= _answers(s)
    found |= _balance(s.balance)
    seen, quantities = lib.pc_sim_observation(sim._sim), sim.model.quantities
    found |= {f"final.{quantities[i].name}": lib.pc_observe_quantity(seen, i) for i in sim.model.recorded}
    return Summary(found)


def summarize_result(result: "Result") -> Summary:
    """What the series of a file tell."""
    options = result.options
    found: dict[str, Any] = {"scheme": options.get("scheme", ""), "dt": float(options.get("dt", "nan")),
                             "time": float(result.t[-1]) if len(result) else math.nan}
    total = result.energy.total
    gaps = [result[name] for name in result.names if name.endswith(".gap")]
    gaps += [result.found["gap"]] if len(result.found) else []
    found["penetration.max"] = float(max((np.max(-g) for g in gaps), default=0.0))
    found["penetration.max"] = max(found["penetration.max"], 0.0)
    rises = np.diff(total)
    found |= {"energy.initial": float(total[0]), "energy.final": float(total[-1]),
              "energy.max.increase": float(max(rises.max(initial=0.0), 0.0))}
    for name in result.names:
        if name.startswith("iterations.") and len(result) > 1:
            found[f"{name}.max"] = int(result[name].max())
            found[f"{name}.avg"] = float(result[name][1:].mean())
    found["events.closed"] = len(result.impacts)
    found |= _balance(result.balance)
    found |= {f"final.{name}": float(result[name][-1]) for name in result.recorded}
    return Summary(found)


def events(sim: "Simulation") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    kinds = {1: "closed", 2: "opened"}
    contacts = sim.model.contacts
    shapes = [s.name for s in sim.model.colliders]
    while True:
        e = lib.pc_sim_event(sim._sim, len(found))
        if not e:
            return found
        name = contacts[e.contact].name if e.contact >= 0 else pair_name(shapes, e.key.shape)
        components = contacts[e.contact].dimension if e.contact >= 0 else 3
        found.append({"t": e.t, "step": e.step, "contact": name, "kind": kinds[e.kind], "P_N": e.P_N,
                      "P_F": list(e.P_F)[:components], "velocity_before": e.velocity_before,
                      "velocity_after": e.velocity_after})
