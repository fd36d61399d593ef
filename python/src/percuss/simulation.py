"""Simulations: stepping, running, callbacks, recording."""
from __future__ import annotations

import dataclasses
import os
import signal
import threading
import time
import weakref
from typing import Any, Callable, Iterator

import numpy as np

from ._alone import Alone, one_thread
from ._callbacks import Forces, accepts
from ._found import contacts_of
from ._interface import ENUMS
from ._library import call, copy, fail, ffi, lib, new_error, text, view
from ._progress import Progress
from ._recording import Recording
from ._settings import apply, check_scheme, new_settings
from .checking import Entry, Verdict
from .errors import ArgumentError, Error
from .model import (CallbackElement, Extension, Handle, Model, control_extension, controlled_parts, velocity_names)
from .result import Result
from .summary import Summary, events, summarize
from .system import System

LOOK = 64  #: steps, one by one, after which the recording looks what there is

#: A run looks at observers, Ctrl-C, the recording and the clock after so long [s].
SLICE = 0.05

GROWTH = 64  #: of a slice over the one before, at most: later steps may take longer than the first

WARNINGS_MAX = 24  #: of those that a run begins with


@dataclasses.dataclass(frozen=True)
class State:
    """A checkpoint: all that moves, copied."""

    step: int
    t: float
    q: np.ndarray
    u: np.ndarray
    P: np.ndarray
    memory: np.ndarray
    #: contacts between shapes, and what is remembered of them
    found: np.ndarray | None = None
    found_memory: np.ndarray | None = None


class _Observer:
    """A function that is called every so many steps."""

    def __init__(self, function: Callable[..., Any], every: int) -> None:
        self.function, self.every = function, every

    def next(self, step: int) -> int:
        """The first step after this one at which it is due."""
        return (step // self.every + 1) * self.every


class _Interrupts:
    """Ctrl-C while a run is on: noted, so that no step and no row of a file is left half done."""

    def __enter__(self) -> "_Interrupts":
        self.seen = False
        self.old: Any = None
        if threading.current_thread() is threading.main_thread():
            self.old = signal.getsignal(signal.SIGINT)
            if self.old is signal.default_int_handler:
                signal.signal(signal.SIGINT, self.note)
            else:
                self.old = None  # somebody else's: what it raises comes between two slices
        return self

    def note(self, number: int, frame: Any) -> None:
        self.seen = True

    def __exit__(self, *what: Any) -> None:
        if self.old is not None:
            signal.signal(signal.SIGINT, self.old)


@one_thread(asks="q u __getitem__ energy gaps state found pair_tallies summary verdict warnings tallies found_tally events "
                 "violations",
            changes="step run restore observe control replace result close")
class Simulation:
    """A model, a scheme and a state that moves. It belongs to one thread at a time: another one gets an exception.

    scheme  such as "moreau-jean", "rattle"; by default the model's, or moreau-jean
    dt      time step [s]; by default the model's
    record  True: kept in memory (in a temporary file where it becomes large); a path: that file; False: not at all
    every   record each N-th step
    force   replace a file at `record` even if it is no result of percuss
    resume  go on with the run in the file `record`

    All other keywords are settings of the scheme: `percuss.settings()` lists them.
    """

    def __init__(self, model: Model, scheme: str | None = None, dt: float | None = None, *,
                 record: bool | str | os.PathLike[str] = True, every: int = 1, force: bool = False,
                 resume: bool = False, **settings: Any) -> None:
        self._alone = Alone("the simulation")
        self.model = model
        self.scheme = scheme or model.scheme or text(lib.pc_default_sim_def().scheme)
        check_scheme(self.scheme)
        self._handle: Handle = model._handle
        self._settings = new_settings(model.settings())
        if dt is not None:
            settings = {"dt": float(dt), **settings}
        self._given = apply(self._settings, self.scheme, settings)
        self._error, self._guard, self._unseen = new_error(), model._guard, 0
        self._slice = 1  # steps of the next call of the library
        self._warned: tuple[Handle, list[Entry]] | None = None
        self._create()
        self._sampled: list[Callable[[], None]] = []
        self._observers: list[_Observer] = []
        self._extensions: list[Extension] = []
        self._recording = Recording(self, record, every, force, resume)

    def _create(self) -> None:
        definition, _name = self._definition()
        made = ffi.new("pc_sim **")
        try:
            call(lib.pc_sim_create, definition, made)
        except BaseException as error:
            self.model._guard.check(error)
            raise
        self._sim = made[0]
        self._owners = [self._handle.owner]  # systems that the simulation has used
        self._life = _Life()
        weakref.finalize(self._life, _destroy, self._sim, self._owners)
        self._state = lib.pc_sim_observation(self._sim).state
        self._run_steps = lib.pc_sim_run_steps
        self._view()

    def _definition(self) -> tuple[Any, Any]:
        """What the library makes a simulation of, and the text that it refers to."""
        definition = ffi.new("pc_sim_def *", lib.pc_default_sim_def())
        name = ffi.new("char[]", self.scheme.encode())
        definition.system, definition.scheme = self._handle.system, name
        definition.settings = self._settings[0]
        return definition, name

    def _view(self) -> None:
        """The arrays that users see. Where contacts are found, the numbers of the library move as there are more of
        them: then they are copies, which follow after every call."""
        sizes = self.model.sizes
        counts = {"q": sizes["q"], "u": sizes["u"], "P": sizes["rows"]}
        moves = lib.pc_system_collider_count(self._handle.system) > 0
        self._copies: dict[str, np.ndarray] = {name: np.empty(n) for name, n in counts.items()} if moves else {}
        arrays = {name: copied.view() for name, copied in self._copies.items()} or {
            name: view(getattr(self._state, name), n, self._life) for name, n in counts.items()}
        for array in arrays.values():
            array.flags.writeable = False
        self._q, self._u, self._P = arrays["q"], arrays["u"], arrays["P"]
        self._follow()

    def _follow(self) -> None:
        for name, copied in self._copies.items():
            if len(copied):
                ffi.memmove(ffi.from_buffer(copied), getattr(self._state, name), 8 * len(copied))

    # ---- the state ---------------------------------------------------------------------------------------------

    @property
    def q(self) -> np.ndarray:
        """The coordinates: a live view, which changes as the simulation goes on. Assign to set them."""
        return self._q

    @q.setter
    def q(self, value: Any) -> None:
        self._set(q=value)

    @property
    def u(self) -> np.ndarray:
        """The velocities: a live view. Assign to set them."""
        return self._u

    @u.setter
    def u(self, value: Any) -> None:
        self._set(u=value)

    @property
    def P(self) -> np.ndarray:
        """The impulses (percussions) of all rows over the last step [N s]: a live view."""
        return self._P

    @property
    def t(self) -> float:
        """The time [s]."""
        return self._state.t

    @property
    def steps(self) -> int:
        """How many steps have been done."""
        return self._state.step

    @property
    def dt(self) -> float:
        """The time step [s]."""
        return self._settings.dt

    def __getitem__(self, quantity: str) -> float:
        """The present value of a quantity: s["crank.angle"]."""
        return lib.pc_observe_quantity(lib.pc_sim_observation(self._sim), self.model.find(quantity))

    @property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy [J]."""
        seen = lib.pc_sim_observation(self._sim)
        return seen.kinetic, seen.potential

    @property
    def gaps(self) -> dict[str, float]:
        """The gaps of the contacts [m]."""
        y = lib.pc_sim_observation(self._sim).y
        return {c.name: y[c.row] for c in self.model.contacts}

    @property
    def state(self) -> State:
        """A copy of all that moves, for `restore`."""
        s = self._state
        seen = lib.pc_sim_observation(self._sim).found
        kept = (None, None) if not seen else (self.found, copy(seen.memory, seen.count * seen.memory_count))
        return State(s.step, s.t, self._q.copy(), self._u.copy(), self._P.copy(), copy(s.memory, s.memory_count), *kept)

    @property
    def found(self) -> np.ndarray:
        """The contacts between shapes that carry an impulse, as Result.found has them."""
        seen = lib.pc_sim_observation(self._sim).found
        found = contacts_of(seen.contact, seen.count) if seen else contacts_of(ffi.NULL, 0)
        found["t"], found["row"] = self.t, self.steps
        return found

    @property
    def pair_tallies(self) -> dict[tuple[str, str], Entry]:
        """What the contacts between two shapes have carried so far, by their names: closings, steps_closed, P_max [N s],
        t_max [s], P_sum, and the deepest penetration, depth_max [m] at depth_time [s]."""
        shapes = [c.name for c in self.model.colliders]
        tallies = {}
        for i in range(lib.pc_sim_pair_count(self._sim)):
            pair = lib.pc_sim_pair(self._sim, i)
            entry = tallies[shapes[pair.shape[0]], shapes[pair.shape[1]]] = Entry("pc_contact_tally", pair.tally)
            entry.__dict__.update(depth_max=pair.depth_max, depth_time=pair.depth_time)
        return tallies

    def restore(self, state: State) -> None:
        """Goes back (or on) to a state of this simulation, with the same bits. What was recorded stays."""
        self._restore(state.step, state.q, state.u, state.P, state.memory)
        if state.found is not None and len(state.found):
            contacts = ffi.new("pc_shape_contact[]", len(state.found))
            for c, kept in zip(contacts, state.found):
                c.key.shape, c.key.feature = [int(i) for i in kept["shape"]], int(kept["feature"])
            memory = ffi.from_buffer("double[]", state.found_memory)
            found = ffi.new("pc_found_contacts *", {"count": len(contacts), "contact": contacts, "memory": memory,
                                                    "memory_count": len(memory) // len(contacts)})
            call(lib.pc_sim_restore_found, self._sim, found)

    def _set(self, q: Any = None, u: Any = None) -> None:
        q = self._q.copy() if q is None else np.broadcast_to(np.asarray(q, float), self._q.shape)
        u = self._u.copy() if u is None else np.broadcast_to(np.asarray(u, float), self._u.shape)
        self._restore(self.steps, q, u, np.zeros(len(self._P)), None)

    def _restore(self, step: int, q: Any, u: Any, P: Any, memory: Any) -> None:
        arrays = [np.ascontiguousarray(x, float) for x in (q, u, P)]
        pointers = [ffi.from_buffer("double[]", x) for x in arrays]
        held = ffi.NULL if memory is None else ffi.from_buffer("double[]", np.ascontiguousarray(memory, float))
        with self._alone.at_work():
            call(lib.pc_sim_restore, self._sim, step, *pointers, held)
        self._follow()
        self._recording.jumped()

    # ---- moving ------------------------------------------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        """Takes `count` steps. On failure the state is the last good one."""
        if self._observers:
            self._advance(self._state.step + count, None)
            return
        status = self._call_steps(count)
        if self._copies:
            self._follow()
        if status or self._guard.error:
            self._failed(status)
        self._unseen += count
        if self._unseen >= LOOK:
            self._look()

    def _call_steps(self, count: int) -> int:
        self._alone.moving = True
        try:
            return self._run_steps(self._sim, count, self._error)
        finally:
            self._alone.moving = False

    def run(self, until: float | None = None, *, progress: bool | None = None) -> "Simulation":
        """Steps while the next step ends at or before `until` [s] (by default the model's end time), without
        holding Python's lock: other threads go on. Ctrl-C stops the run between two steps and raises
        KeyboardInterrupt; the state and the record are kept, and `run` goes on from there. `progress` shows a bar;
        by default it does where a terminal or a notebook is looking and the run takes a while."""
        until = self.model.until if until is None else float(until)
        if not until == until:
            raise ArgumentError("until when? give run(until=T), or `until` in the model's simulate")
        last = lib.pc_step_count(self.dt, until)
        if last < 0:
            call(lib.pc_sim_run, self._sim, until)  # which says why
        bar = Progress(self.steps, last, progress)
        try:
            self._advance(last, bar)
        finally:
            bar.end(self.steps, self.t)
        return self

    def _advance(self, last: int, bar: Progress | None) -> None:
        """To step number `last`, slice by slice."""
        with _Interrupts() as interrupts:
            self._begin()
            while self._state.step < last:
                first = self._state.step
                for sample in self._sampled:
                    sample()
                count = min([last - first, self._slice] + [o.next(first) - first for o in self._observers])
                began = time.monotonic()
                status = self._call_steps(count)
                taken = time.monotonic() - began
                self._follow()
                self._look()
                if status or self._guard.error:
                    self._failed(status)
                self._fit_slice(count, taken)
                if interrupts.seen:
                    raise KeyboardInterrupt(f"stopped after step {self.steps} at t = {self.t:.9g} s")
                if bar:
                    bar.see(self._state.step, self._state.t)
                if not self._show():
                    return

    def _fit_slice(self, count: int, taken: float) -> None:
        """How many steps take SLICE, after `count` of them have taken so long. Few slices: at the end of each a thread
        waits for Python's lock."""
        fitting = int(count * SLICE / max(taken, 1e-9))
        if count == self._slice or fitting < self._slice // 2:
            self._slice = max(1, min(GROWTH * count, fitting))

    def _look(self) -> None:
        self._unseen = 0
        self._recording.look()

    def _begin(self) -> None:
        """Shows the initial state to the observers."""
        if self._state.step == 0 and not getattr(self, "_begun", False):
            self._begun = True
            for observer in self._observers:
                observer.function(self)

    def _show(self) -> bool:
        """Calls the observers that are due; False: one of them asks to stop."""
        go_on = True
        for observer in self._observers:
            if self._state.step % observer.every == 0 and observer.function(self) is False:
                go_on = False
        return go_on

    def _failed(self, status: int) -> None:
        error = fail(status, self._error) if status else None
        self._guard.check(error)
        if error is not None:
            raise error

    def __iter__(self) -> Iterator["Simulation"]:
        """Step by step, without end: `for s in simulation: ...`"""
        while True:
            self.step()
            yield self

    # ---- callbacks ---------------------------------------------------------------------------------------------

    def observe(self, function: Callable[["Simulation"], Any] | None = None, *, every: float | None = None) -> Any:
        """Calls `function(simulation)` after every step, or every so many seconds of the simulation's time, and once
        before the first step. If it returns False the run stops there. Can be used as a decorator."""
        if function is None:
            return lambda f: self.observe(f, every=every)
        steps = 1 if every is None else max(1, round(every / self.dt))
        self._observers.append(_Observer(function, steps))
        return function

    def control(self, function: Callable[..., Any] | None = None, *, on: Any = None, every: float | None = None,
                name: str | None = None) -> Any:
        """Adds generalized forces that are a Python function `f(t, q, u)`. Can be used as a decorator.

        It returns one number for each velocity, or a mapping such as {"rod.spin": torque}: the force that does work
        with that velocity. `on` names the bodies or coordinates that it sees and acts on, by default all.

        Without `every` it is a law of nature: the scheme evaluates it wherever it evaluates forces, as it does with a
        formula of the model file, and as accurately. It must depend on nothing but its arguments. With `every` [s] it
        is a digital controller: called so often, between steps, and its forces are held until the next call.
        """
        if function is None:
            return lambda f: self.control(f, on=on, every=every, name=name)
        name = name or f"{getattr(function, '__name__', 'control')}.{len(self._extensions)}"
        if accepts(function) not in (3, None):
            raise TypeError("a controller is a function of t, q and u")
        if every is None:
            extension = control_extension(function, on, name)
        else:
            extension = self._sampled_extension(function, on, name, max(1, round(every / self.dt)))
        self._extend(extension)
        return function

    def _sampled_extension(self, function: Callable[..., Any], on: Any, name: str, every: int) -> Extension:
        held: dict[str, Any] = {}

        def extend(system: System) -> None:
            parts = controlled_parts(system, on)
            element = CallbackElement(system, parts)
            held["forces"], held["parts"] = Forces(velocity_names(system, parts)), parts
            held.setdefault("value", np.zeros(element.n_u))
            element.add(name, 0, 0, (), {"h": lambda t, q, u: held["value"],
                                         "h_q": lambda t, q, u: np.zeros(element.n_u * element.n_q),
                                         "h_u": lambda t, q, u: np.zeros(element.n_u * element.n_u)})

        def sample() -> None:
            infos = self.model.parts
            q = np.concatenate([self._q[infos[p.index].q] for p in held["parts"]])
            u = np.concatenate([self._u[infos[p.index].u] for p in held["parts"]])
            value = np.zeros(len(held["value"]))
            held["forces"].put(function(self.t, q, u), value)
            held["value"] = value

        observer = _Observer(lambda s: None, every)  # which interrupts a run where a sample is due
        self._observers.append(observer)
        self._sampled.append(lambda: sample() if self._state.step % every == 0 else None)
        return extend

    def _extend(self, extension: Extension) -> None:
        """Goes on with a system that has this element, too; the state stays where it is."""
        handle = self.model._make([*self.model._extensions, *self._extensions, extension])
        try:
            with self._alone.at_work():
                call(lib.pc_sim_replace_system, self._sim, handle.system)
        except BaseException as error:
            self.model._guard.check(error)
            raise
        self._extensions.append(extension)
        self._owners.append(handle.owner)
        self._handle = handle

    def replace(self, **parameters: Any) -> None:
        """Goes on from the present state with other parameters of the model: s.replace(mu=0.3)."""
        other = Model.__new__(Model)
        other.__dict__.update(self.model.__dict__)
        other._overridden = {**self.model._overridden, **parameters}
        handle = other._make([*self.model._extensions, *self._extensions])
        with self._alone.at_work():
            call(lib.pc_sim_replace_system, self._sim, handle.system)
        self._owners.append(handle.owner)
        self._handle = handle
        self.model = other
        other._made = handle

    # ---- what came of it ---------------------------------------------------------------------------------------

    @property
    def summary(self) -> Summary:
        """What the run amounts to so far, under the keys of `percuss run --json`."""
        return summarize(self)

    @property
    def verdict(self) -> Verdict:
        """Whether the result so far is plausible, and why not: `if not s.verdict: print(s.verdict)`."""
        return Verdict(lib.pc_sim_judge(self._sim))

    @property
    def warnings(self) -> list[Entry]:
        """What `percuss run` says before a run: initial values that violate a joint or a contact, redundant joints, a dt
        that is far too large; each with `text` and `remedy`."""
        if self._warned is None or self._warned[0] is not self._handle:
            self._warned = self._handle, self._examine()
        return list(self._warned[1])

    def _examine(self) -> list[Entry]:
        definition, _name = self._definition()
        listed, count = ffi.new("pc_warning[]", WARNINGS_MAX), ffi.new("int *")
        try:
            call(lib.pc_check_run, definition, self.model.until, listed, WARNINGS_MAX, count)
        except Error as error:  # what cannot be examined is told by the first step
            self._guard.check(error)
        return [Entry("pc_warning", listed[i]) for i in range(count[0])]

    @property
    def tallies(self) -> dict[str, Entry]:
        """What each contact of the model has carried so far: `closings`, `steps_closed`, `P_max` [N s] at `t_max` [s],
        `P_sum` [N s]."""
        return {c.name: Entry("pc_contact_tally", lib.pc_sim_contact_tally(self._sim, i))
                for i, c in enumerate(self.model.contacts)}

    @property
    def found_tally(self) -> Entry:
        """The same of all contacts between shapes, which are found: the largest percussion and the deepest penetration,
        and where (pc_found_tally in percuss/simulate.h)."""
        return Entry("pc_found_tally", lib.pc_sim_found_tally(self._sim))

    @property
    def events(self) -> list[dict[str, Any]]:
        """The first contacts that closed or opened, up to 32."""
        return events(self)

    @property
    def result(self) -> Result:
        """What was recorded, as a result file."""
        return self._recording.result()

    def close(self) -> None:
        """Completes the file that `record` named; the simulation can still be asked, and go on unrecorded."""
        self._recording.close()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *what: Any) -> None:
        self.close()

    @property
    def violations(self) -> dict[str, tuple[float, float]]:
        """The largest violation of each law so far, and when it occurred: "pin.position.1.residual": (2e-12, 0.3)."""
        count = lib.pc_violation_count(self._handle.system)
        listed = lib.pc_sim_observation(self._sim).violation
        return {f"{text(v.part)}.{text(lib.pc_violated_name(v.law))}": (v.value, v.t)
                for v in (listed[i] for i in range(count))}

    def __repr__(self) -> str:
        return f"<Simulation of {self.model!r}, {self.scheme}, step {self.steps}, t = {self.t:.6g} s>"


class _Life:
    """Lives as long as a simulation or a view of its numbers."""


def _destroy(sim: Any, owners: list[Any]) -> None:
    """`owners` are the systems: they outlive the simulation."""
    lib.pc_sim_destroy(sim)
    owners.clear()


METHODS = [name[len("PC_METHOD_"):].lower() for name in ENUMS["pc_method"] if not name.endswith("COUNT")]
