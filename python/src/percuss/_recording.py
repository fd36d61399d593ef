"""Recording a simulation: in memory, and from there into a result file.

The run itself writes into a history in memory (percuss/history.h), in every thread. Files are written from
there between slices of a run, without holding Python's lock; the library lets one thread at a time into HDF5.
"""
from __future__ import annotations

import os
import tempfile
import time
import weakref
from typing import TYPE_CHECKING, Any

from ._library import call, ffi, lib, new_error
from .errors import ArgumentError, CannotWrite, Error
from .result import Result, let_go

if TYPE_CHECKING:
    from .simulation import Simulation

MEMORY = 256 << 20  #: bytes of a history that is kept; beyond it goes into a temporary file
WAITING = 8 << 20   #: bytes that wait for a file
SECONDS = 1.0       #: they wait no longer
EVER = 2**62        #: a run that is resumed may go on as long as it likes


class Temporary:
    """A file that is removed with the last one who knows it."""

    def __init__(self) -> None:
        handle, self.path = tempfile.mkstemp(prefix="percuss-", suffix=".h5")
        os.close(handle)
        weakref.finalize(self, remove, self.path)


def remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


class Recording:
    """What of a simulation is kept, and where."""

    def __init__(self, sim: "Simulation", record: Any, every: int, force: bool, resume: bool) -> None:
        self._sim = weakref.ref(sim)
        self.every, self.force = every, force
        self.path: str | None = None if isinstance(record, bool) else os.fspath(record)
        self.on = record is not False
        self.temporary: Temporary | None = None
        self.recorder: Any = None
        self.closed = False  # there is a file, and it is complete
        self.looked = time.monotonic()
        self.result_: Result | None = None
        self.length = -1     # of the history when the result was made
        if every < 1:
            raise ArgumentError(f"every: {every}, must be 1 or more")
        if not self.on:
            return
        made = ffi.new("pc_history **")
        call(lib.pc_history_create, sim._handle.system, made)
        self.history = ffi.gc(made[0], lib.pc_history_destroy)
        sim._owners.append(self.history)
        call(lib.pc_sim_add_observer, sim._sim, ffi.addressof(lib, "pc_history_observe"), self.history)
        if self.path is not None:
            self._open(resume, restore=True)
        elif resume:
            raise ArgumentError("resume: there is no file to resume; name it as record=PATH")

    # ---- the file ----------------------------------------------------------------------------------------------

    def _definition(self, path: str, force: bool) -> tuple[Any, list[Any]]:
        sim = self._sim()
        assert sim is not None
        definition = ffi.new("pc_recorder_def *", lib.pc_default_recorder_def())
        listed = sim.model.recorded
        keep = [ffi.new("char[]", os.fsencode(path)), ffi.new("int[]", listed or [0]),
                ffi.new("char[]", sim.model.text.encode()), ffi.new("char[]", self._options(sim).encode())]
        definition.path, definition.quantity, definition.model_text, definition.options = keep
        definition.system, definition.quantity_count = sim._handle.system, len(listed)
        definition.every, definition.force = self.every, force
        if sim.model.until == sim.model.until:  # it says how long it runs
            definition.expected_rows = 2 + lib.pc_step_count(sim.dt, sim.model.until) // self.every
        return definition, keep

    @staticmethod
    def _options(sim: "Simulation") -> str:
        """As the command line writes them: a result says how it was made."""
        until = sim.model.until
        lines = [f"scheme={sim.scheme}", f"dt={sim.dt:.17g}", f"until={until if until == until else 0:.17g}"]
        lines += [f"{key}={value}" for key, value in sim._given.items() if key != "dt"]
        lines += [f"set:{name}={value if isinstance(value, str) else repr(float(value))}"
                  for name, value in sim.model._overridden.items()]
        return "\n".join(lines)

    def _create(self, path: str, force: bool) -> Any:
        definition, keep = self._definition(path, force)
        made = ffi.new("pc_recorder **")
        call(lib.pc_recorder_create, definition, made, path=path)
        return made[0]

    def _open(self, resume: bool = False, restore: bool = False) -> None:
        """`restore`: the simulation continues from the last state of the file; else it is ahead of the file, and what
        the file lacks waits in memory."""
        assert self.path is not None
        if not resume:
            self.recorder = self._create(self.path, self.force)
            return
        definition, keep = self._definition(self.path, self.force)
        made, state = ffi.new("pc_recorder **"), ffi.new("pc_resume_state *")
        sim = self._sim()
        assert sim is not None
        call(lib.pc_recorder_resume, definition, EVER, state, made)
        self.recorder = made[0]
        if restore and state.step > 0 and state.step != sim.steps:
            call(lib.pc_sim_restore, sim._sim, state.step, state.q, state.u, state.P, state.memory)
            call(lib.pc_sim_restore_found, sim._sim, ffi.addressof(state, "found"))
            sim._follow()

    def _close(self) -> None:
        recorder, self.recorder = self.recorder, None
        if recorder is not None:
            call(lib.pc_recorder_close, recorder)

    def flush(self) -> None:
        """What waits in memory goes into the file."""
        if lib.pc_history_length(self.history) == 0:
            return
        if self.recorder is None:
            self._reopen()
        if not self._show(self.recorder):
            self.on = False
            try:
                self._close()
            finally:
                lib.pc_history_clear(self.history)
            raise CannotWrite("the result file cannot be written", "PC_CANNOT_WRITE", self.path)
        lib.pc_history_clear(self.history)

    def _show(self, recorder: Any) -> bool:
        error = new_error()
        status = lib.pc_history_show(self.history, 0, ffi.addressof(lib, "pc_recorder_observe"), recorder, error)
        return status == 0

    def _reopen(self) -> None:
        """A file that was complete gets more rows."""
        if self.path is None:
            self.temporary = Temporary()
            self.path = self.temporary.path
            self.force = True
            self._open()
        elif self.closed:
            let_go(self.path)
            self._open(resume=True)
        self.closed = False

    # ---- for the simulation ------------------------------------------------------------------------------------

    def look(self) -> None:
        """Writes what has waited for long enough, or takes too much memory."""
        if not self.on:
            return
        size = lib.pc_history_length(self.history) * lib.pc_history_bytes(self.history)
        if self.path is None:
            if size > MEMORY:
                self.flush()
        elif size > WAITING or time.monotonic() - self.looked > SECONDS:
            self.looked = time.monotonic()
            self.flush()

    def jumped(self) -> None:
        """The simulation has gone back to another state."""
        if self.closed:
            raise Error("the result file is complete: a simulation that goes back cannot continue it")

    def result(self) -> Result:
        if not self.on:
            raise ArgumentError("nothing was recorded: simulate(..., record=True), or record=PATH")
        sim = self._sim()
        assert sim is not None
        call(lib.pc_sim_run_steps, sim._sim, 0)  # the initial state, if it was not seen yet
        if self.path is None:
            return self._from_memory(sim)
        if not self.closed or lib.pc_history_length(self.history) > 0:
            self.flush()
            self._close()
            self.closed = True
            if sim.steps % self.every:
                self.on = False  # the file ends between two recorded steps: nothing can follow
            self.result_ = Result(self.path, _simulation=sim, _keep=self.temporary)
        assert self.result_ is not None
        return self.result_

    def _from_memory(self, sim: "Simulation") -> Result:
        length = lib.pc_history_length(self.history)
        if self.result_ is None or self.length != length:
            file = Temporary()
            recorder = self._create(file.path, force=True)
            self._show(recorder)
            call(lib.pc_recorder_close, recorder)
            self.result_, self.length = Result(file.path, _simulation=sim, _keep=file), length
        return self.result_

    def close(self) -> None:
        """Completes a file that the user has named."""
        if self.on and self.path is not None and not self.closed:
            self.flush()
            self._close()
            self.closed = True
