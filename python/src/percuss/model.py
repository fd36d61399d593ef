"""Models: a file, a text, calls, or a system."""
from __future__ import annotations

import dataclasses
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from ._callbacks import Forces, Guard
from ._interface import ENUMS
from ._library import call, copy, ffi, lib, model_folders, text
from .builder import Builder, to_yaml
from .errors import ArgumentError
from .geometry import describe
from .system import GROUND, CallbackElement, Part, System

if TYPE_CHECKING:
    from .simulation import Simulation

Extension = Callable[[System], None]


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A scalar with a name: what can be recorded."""

    name: str
    unit: str
    kind: str  #: "q", "u", "row_position", "row_velocity", "row_P" or "output"
    index: int


@dataclasses.dataclass(frozen=True)
class Contact:
    """A contact and its law."""

    name: str
    row: int        #: its normal row; those of friction follow
    dimension: int  #: friction rows
    mu: float
    e_N: float
    e_F: float


@dataclasses.dataclass(frozen=True)
class PartInfo:
    """A part and its coordinates."""

    name: str
    kind: str   #: "coordinates", "point_mass", "planar_body", "spatial_body", "bar" or "beam"
    q: slice    #: its coordinates within q
    u: slice    #: its velocities within u
    within: int  #: index of the part whose coordinates these are, or -1
    chain: int   #: parts that follow it in a chain of nodes


class Handle:
    """A frozen system, with the model file that it may come from, and the Python functions in it.

    `owner` releases the system when nobody needs it any more: a simulation keeps it (and not the functions, which
    may know the simulation).
    """

    def __init__(self, system: Any, model: Any, owner: Any, keep: Sequence[Any]) -> None:
        self.system, self.model, self.owner, self.keep = system, model, owner, list(keep)


def find_model(name: str | os.PathLike[str]) -> str:
    """The path of a model: a file, or the name of a model that comes with percuss."""
    given = os.fspath(name)
    if os.path.exists(given) or "/" in given or "." in given:
        return given
    for folder in model_folders():
        if (folder / f"{given}.yaml").exists():
            return str(folder / f"{given}.yaml")
    return given


def _overrides(parameters: Mapping[str, Any], keep: list[Any]) -> Any:
    made = ffi.new("pc_override[]", max(len(parameters), 1))
    keep.append(made)
    for entry, (name, value) in zip(made, parameters.items()):
        words = value if isinstance(value, str) else repr(float(value))
        for field, content in (("name", name), ("value", words)):
            keep.append(ffi.new("char[]", content.encode()))
            setattr(entry, field, keep[-1])
    return made


class Model(Builder):
    """A mechanical system and how to run it.

        Model("slider-crank.yaml", mu=0.1)        a model file, with other values for its parameters
        Model(text="percuss: 1 ...", mu=0.1)      the text of one
        Model(gravity=[0, -9.81], l=0.3)          an empty one, with parameters, to be filled by calls
        Model(system=s)                           a percuss.System

    A name without a dot or slash is that of a model that comes with percuss. `parameters` takes what cannot be a
    keyword. `space` is "line", "planar" or "spatial".
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, /, *, text: str | None = None,
                 system: System | None = None, parameters: Mapping[str, Any] | None = None,
                 **more: Any) -> None:
        super().__init__()
        if sum(x is not None for x in (path, text, system)) > 1:
            raise TypeError("Model() takes one of a path, text= and system=")
        self.path = None if path is None else find_model(path)
        self._text, self._system = text, system
        self._guard = system._guard if system else Guard()
        self._extensions: list[Extension] = []
        self._asked: list[str] = []
        self._made: Handle | None = None
        self._overridden: dict[str, Any] = {}
        given = {**(parameters or {}), **more}
        if path is None and text is None and system is None:
            self._begin(given)
        elif system is not None and given:
            raise TypeError("a system has no parameters")
        else:
            self._overridden = given
            self._handle  # errors belong here

    def _begin(self, given: dict[str, Any]) -> None:
        """An empty document."""
        sections = {key: given.pop(key) for key in ("title", "space", "gravity") if key in given}
        self._document = {"percuss": 1, **sections}
        if given:
            self._document["parameters"] = given

    def add(self, section: str, name: str, value: Any) -> str:
        if not self._document:
            raise ArgumentError(f"'{name}': a model that was read is complete; build one by calls (percuss.Model()), or "
                                "use @model.extend for elements of your own")
        return super().add(section, name, value)

    add.__doc__ = Builder.add.__doc__

    def _changed(self) -> None:
        self._made = None

    # ---- reading -----------------------------------------------------------------------------------------------

    @property
    def _handle(self) -> Handle:
        if self._made is None:
            self._made = self._make(self._extensions)
        return self._made

    def _make(self, extensions: Sequence[Extension]) -> Handle:
        """Reads the model, with elements in Python added to it."""
        if self._system is not None:
            if extensions:
                raise ArgumentError("a system is extended by its own methods, before a model is made of it")
            self._system.freeze()
            return Handle(self._system._pointer, None, self._system._pointer, [self._system])
        made = ffi.new("pc_model **")
        words: list[Any] = []
        systems: list[System] = []
        overrides = _overrides(self._overridden, words)
        extension = self._extension(extensions, systems, words)
        try:
            if self.path is not None:
                call(lib.pc_model_read_extended, os.fsencode(self.path), overrides, len(self._overridden), extension, made,
                     path=self.path)
            else:
                data = self.text.encode()
                call(lib.pc_model_read_text_extended, data, len(data), overrides, len(self._overridden), extension, made)
        except BaseException as error:
            self._guard.check(error)
            raise
        owner = ffi.gc(made[0], lib.pc_model_destroy)
        return Handle(lib.pc_model_system(owner), owner, owner, systems)

    def _extension(self, extensions: Sequence[Extension], systems: list[System], keep: list[Any]) -> Any:
        """What the library calls while it reads; the systems that it shows are put into the list."""
        if not extensions and not self._asked:
            return ffi.NULL

        def add(user: Any, pointer: Any, error: Any) -> int:
            system = System._of(pointer, self._guard)
            systems.append(system)
            for extend in extensions:
                extend(system)
            return 0

        function = ffi.callback("pc_status(void*, pc_system*, pc_error*)", add, error=2, onerror=self._guard.note)
        names = [ffi.new("char[]", name.encode()) for name in self._asked]
        listed = ffi.new("char *[]", names)
        made = ffi.new("pc_model_extension *", {"add": function, "record": listed, "record_count": len(names)})
        keep += [function, made, listed, *names]
        return made

    def ask(self, *names: str) -> None:
        """Makes quantities that exist only if they are asked for, and records them: accelerations and forces (`rod.ax`,
        `pin.lambda.1`, `floor.lambda_N`, `floor.gap_acceleration`), coordinates and loads of joints (`pin.angle`,
        `pin.force`)."""
        before = list(self._asked)
        if self._system is not None:
            for name in names:
                self._system.force_output(name)
        else:
            self._asked += names
            self._made = None
        try:
            for name in names:
                self.find(name)
        except BaseException:
            self._asked, self._made = before, None
            raise

    def extend(self, function: Extension) -> Extension:
        """Adds elements in Python to the model: `function(system)` is called with the percuss.System that the model
        file has filled, before it is frozen. Can be used as a decorator."""
        self._extensions.append(function)
        self._made = None
        return function

    def control(self, function: Callable[..., Any] | None = None, *, on: Any = None, name: str | None = None) -> Any:
        """Adds generalized forces that are a Python function `f(t, q, u)`, to all simulations of the model; see
        Simulation.control, which also has controllers that are sampled."""
        if function is None:
            return lambda f: self.control(f, on=on, name=name)
        self.extend(control_extension(function, on, name or f"{function.__name__}.{len(self._extensions)}"))
        return function

    # ---- what it holds -----------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The text of the model file; of a model that was built by calls, what they amount to."""
        if self._document:
            return to_yaml(self._document)
        if self._text is not None:
            return self._text
        return text(lib.pc_model_text(self._handle.model)) if self._handle.model else ""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file."""
        pathlib.Path(path).write_text(self.text)

    @property
    def title(self) -> str:
        return text(lib.pc_model_title(self._handle.model)) if self._handle.model else ""

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        found: dict[str, float] = {}
        value = ffi.new("double *")
        while self._handle.model:
            name = lib.pc_model_parameter(self._handle.model, len(found), value)
            if not name:
                break
            found[text(name)] = value[0]
        return found

    @property
    def scheme(self) -> str | None:
        """The scheme that the model file names."""
        return text(lib.pc_model_scheme(self._handle.model)) or None if self._handle.model else None

    @property
    def until(self) -> float:
        """The end time of the model file [s], or NaN."""
        return lib.pc_model_until(self._handle.model) if self._handle.model else float("nan")

    def settings(self) -> Any:
        """The settings of the model file, as the structure of the library."""
        return lib.pc_model_settings(self._handle.model) if self._handle.model else lib.pc_default_scheme_settings()

    def exact(self, quantity: str, t: Any) -> Any:
        """The exact motion that the file's `exact:` gives for a quantity at times t."""
        index, value = self.find(quantity), ffi.new("double *")

        def one(when: float) -> float:
            if not self._handle.model or not lib.pc_model_exact(self._handle.model, index, when, value):
                raise ArgumentError(f"the model says nothing exact about '{quantity}'")
            return value[0]

        return one(t) if np.ndim(t) == 0 else np.array([one(when) for when in t])

    def evaluate(self, expression: str) -> float:
        """The value of an expression in the parameters of the model file."""
        if not self._handle.model:
            raise ArgumentError("a system has no parameters")
        value = ffi.new("double *")
        call(lib.pc_model_evaluate, self._handle.model, expression.encode(), value)
        return value[0]

    def drawings(self, t: float = 0.0, q: Any = None) -> dict[str, dict[str, Any]]:
        """What the file's `draw:` says is to be drawn, at time t and coordinates q: kind, points and radius."""
        q = np.ascontiguousarray(self.q0 if q is None else q, dtype=float)
        found: dict[str, dict[str, Any]] = {}
        for i in range(lib.pc_model_drawing_count(self._handle.model) if self._handle.model else 0):
            d = lib.pc_model_drawing(self._handle.model, i)
            points, radius = np.zeros((d.point_count, 3)), ffi.new("double *")
            lib.pc_model_draw(self._handle.model, i, t, ffi.from_buffer("double[]", q), ffi.from_buffer("double[]", points),
                              radius, ffi.new("double[3]"))
            kind = ENUMS["pc_drawing_kind"][d.kind][len("PC_DRAWING_"):].lower()
            found[text(d.name)] = {"kind": kind, "points": points, "radius": radius[0]}
        return found

    @property
    def dimension(self) -> int:
        return lib.pc_system_dimension(self._handle.system)

    @property
    def gravity(self) -> np.ndarray:
        return copy(lib.pc_system_gravity(self._handle.system), 3)

    @property
    def sizes(self) -> dict[str, int]:
        """How many coordinates, velocities, rows and contacts there are."""
        s = self._handle.system
        return {"q": lib.pc_system_q_count(s), "u": lib.pc_system_u_count(s), "g": lib.pc_system_g_count(s),
                "gamma": lib.pc_system_gamma_count(s), "contacts": lib.pc_system_contact_count(s),
                "rows": lib.pc_system_row_count(s), "outputs": lib.pc_system_output_count(s),
                "elements": lib.pc_system_element_count(s)}

    @property
    def q0(self) -> np.ndarray:
        """The initial coordinates."""
        return copy(lib.pc_system_q0(self._handle.system), self.sizes["q"])

    @property
    def u0(self) -> np.ndarray:
        """The initial velocities."""
        return copy(lib.pc_system_u0(self._handle.system), self.sizes["u"])

    @property
    def rough_start(self) -> tuple[np.ndarray, np.ndarray]:
        """The coordinates and velocities that the file gives, before `assemble: true` has changed them: else q0 and u0."""
        q, u = ffi.new("double **"), ffi.new("double **")
        if not self._handle.model or not lib.pc_model_rough_start(self._handle.model, q, u):
            return self.q0, self.u0
        return copy(q[0], self.sizes["q"]), copy(u[0], self.sizes["u"])

    @property
    def quantities(self) -> list[Quantity]:
        """Everything that can be recorded."""
        s, kinds = self._handle.system, [k[len("PC_QUANTITY_"):] for k in ENUMS["pc_quantity_kind"]]
        found = []
        for i in range(lib.pc_system_quantity_count(s)):
            q = lib.pc_system_quantity(s, i)
            kind = kinds[q.kind]
            found.append(Quantity(text(q.name), text(q.unit), "row_P" if kind == "ROW_P" else kind.lower(), q.index))
        return found

    @property
    def names(self) -> list[str]:
        """The names of the quantities."""
        return [q.name for q in self.quantities]

    @property
    def recorded(self) -> list[int]:
        """The quantities that the model records, as indices."""
        if not self._handle.model:
            return list(range(lib.pc_system_quantity_count(self._handle.system)))
        count = ffi.new("int *")
        listed = lib.pc_model_record(self._handle.model, count)
        return list(ffi.unpack(listed, count[0])) if count[0] else []

    def find(self, quantity: str) -> int:
        """The index of a quantity."""
        index = lib.pc_system_find_quantity(self._handle.system, quantity.encode())
        if index < 0:
            names = self.names
            near = sorted(names, key=lambda n: edit_distance(n, quantity))[:1]
            hint = f"; did you mean '{near[0]}'?" if near and edit_distance(near[0], quantity) <= 3 else ""
            raise KeyError(f"there is no quantity '{quantity}'{hint}")
        return index

    @property
    def contacts(self) -> list[Contact]:
        s, found = self._handle.system, []
        for i in range(lib.pc_system_contact_count(s)):
            c = lib.pc_system_contact(s, i)
            found.append(Contact(text(c.name), c.row, c.dimension, c.mu, c.e_N, c.e_F))
        return found

    @property
    def parts(self) -> list[PartInfo]:
        return part_infos(self._handle.system)

    def pose(self, part: str, q: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Where the frame of a part is at q (at the start, if none is given): its origin, and the matrix that takes
        components in it to inertial ones."""
        origin, rotation = np.zeros(3), np.zeros((3, 3))
        q = np.ascontiguousarray(self.q0 if q is None else q, dtype=float)
        lib.pc_part_pose(self._handle.system, [self._part(part)], ffi.from_buffer("double[]", q),
                         ffi.from_buffer("double[]", origin), ffi.from_buffer("double[]", rotation))
        return origin, rotation

    def position(self, part: str, at: Sequence[float] = (0, 0, 0), q: Any = None) -> np.ndarray:
        """Where a point of a part is at q, in the inertial frame."""
        point, x = ffi.new("pc_point *"), np.zeros(3)
        point.part.index = self._part(part)
        for i, value in enumerate(at):
            point.at[i] = value
        q = np.ascontiguousarray(self.q0 if q is None else q, dtype=float)
        lib.pc_point_position(self._handle.system, point, ffi.from_buffer("double[]", q), ffi.from_buffer("double[]", x))
        return x

    def _part(self, name: str) -> int:
        found = ffi.new("pc_part_id *")
        call(lib.pc_system_find_part, self._handle.system, name.encode(), found)
        return found.index

    @property
    def shapes(self) -> list["Shape"]:
        """The geometry of the elements, for drawing."""
        s = self._handle.system
        return [Shape(self._handle, lib.pc_system_shape(s, i)) for i in range(lib.pc_system_element_count(s))]

    @property
    def colliders(self) -> list["Collider"]:
        """The shapes of bodies, for contacts that are found."""
        return [Collider(self._handle, i) for i in range(lib.pc_system_collider_count(self._handle.system))]

    def __repr__(self) -> str:
        return f"<Model {self.path or self.title or 'built by calls'}>"

    # ---- using it ----------------------------------------------------------------------------------------------

    def simulate(self, scheme: str | None = None, dt: float | None = None, **settings: Any) -> "Simulation":
        """A simulation at the initial state; see Simulation for the settings."""
        from .simulation import Simulation

        return Simulation(self, scheme, dt, **settings)


class Collider:
    """A shape on a part, for contacts that are found."""

    def __init__(self, handle: Handle, index: int) -> None:
        info = lib.pc_system_collider(handle.system, index)
        self._handle, self.index = handle, index
        self.name, self.part = text(info.name), info.part.index
        self.geometry = describe(info.geometry)

    def pose(self, q: Any) -> tuple[np.ndarray, np.ndarray]:
        """Where its frame is at q: origin and rotation matrix."""
        q = np.ascontiguousarray(q, dtype=float)
        found = lib.pc_collider_pose(self._handle.system, self.index, ffi.from_buffer("double[]", q))
        return np.array(list(found.x)), np.array(list(found.A)).reshape(3, 3)

    def meets(self, other: "Collider") -> bool:
        """Whether the two may touch."""
        return bool(lib.pc_system_colliders_meet(self._handle.system, self.index, other.index))

    def law(self, other: "Collider") -> dict[str, float]:
        """The law between the materials of the two: mu, e_N, e_F, contact_radius."""
        law = lib.pc_system_collider_law(self._handle.system, self.index, other.index)
        return {"mu": law.mu, "e_N": law.e_N, "e_F": law.e_F, "contact_radius": law.contact_radius}


class Shape:
    """The geometry of an element: `kind` is "none", "pin", "slide", "rod", "spring", "plane", "circle", ..."""

    def __init__(self, handle: Handle, shape: Any) -> None:
        self._handle, self._shape = handle, shape
        self.kind = ENUMS["pc_shape_kind"][shape.kind][len("PC_SHAPE_"):].lower()
        self.name = text(shape.name)
        self.contact = shape.contact
        self.parts = tuple(p.part.index for p in shape.at)
        self.at = np.array([list(p.at) for p in shape.at])
        self.axis, self.radius = np.array(list(shape.axis)), np.array(list(shape.radius))

    def contact_point(self, q: Any) -> np.ndarray:
        """Where the shapes of a contact touch or would touch."""
        x, q = np.zeros(3), np.ascontiguousarray(q, dtype=float)
        lib.pc_shape_contact_point(self._handle.system, ffi.addressof(self._shape), ffi.from_buffer("double[]", q),
                                   ffi.from_buffer("double[]", x))
        return x

    def percussion(self, t: float, q: Any, P: Any) -> np.ndarray:
        """The impulse on the first part of a contact in inertial components, from those of its rows."""
        found = np.zeros(3)
        q, P = np.ascontiguousarray(q, dtype=float), np.ascontiguousarray(P, dtype=float)
        call(lib.pc_shape_percussion, self._handle.system, ffi.addressof(self._shape), t, ffi.from_buffer("double[]", q),
             ffi.from_buffer("double[]", P), ffi.from_buffer("double[]", found))
        return found


def edit_distance(a: str, b: str) -> int:
    return lib.pc_edit_distance(a.encode(), b.encode())


def part_infos(system: Any) -> list[PartInfo]:
    """The parts of a system, frozen or not."""
    found = []
    for i in range(lib.pc_system_part_count(system)):
        p = lib.pc_system_part_info(system, [i])
        kind = ENUMS["pc_part_kind"][p.kind][len("PC_PART_"):].lower()
        found.append(PartInfo(text(p.name), kind, slice(p.q_first, p.q_first + p.q_count),
                              slice(p.u_first, p.u_first + p.u_count), p.within, p.chain))
    return found


def controlled_parts(system: System, on: Any) -> list[Part]:
    """The parts that a controller acts on; by default all that have coordinates of their own."""
    if on is None:
        return [Part(i, p.name) for i, p in enumerate(part_infos(system._pointer)) if p.within < 0]
    listed = [on] if isinstance(on, (str, Part)) else list(on)
    parts = [system.part(p) for p in listed]
    if not parts or any(p is GROUND or p.index < 0 for p in parts):
        raise ArgumentError("a controller acts on parts that can move")
    return parts


def velocity_names(system: System, parts: Sequence[Part]) -> list[str]:
    """The names of the parts' velocities, before the system is frozen."""
    names = {}
    for i in range(lib.pc_system_quantity_count(system._pointer)):
        q = lib.pc_system_quantity(system._pointer, i)
        if q.kind == ENUMS["pc_quantity_kind"].index("PC_QUANTITY_U"):
            names[q.index] = text(q.name)
    infos = part_infos(system._pointer)
    return [names.get(i, str(i)) for p in parts for i in range(infos[p.index].u.start, infos[p.index].u.stop)]


def control_extension(function: Callable[..., Any], on: Any, name: str) -> Extension:
    """Generalized forces f(t, q, u) on parts, evaluated wherever the scheme evaluates forces."""
    def extend(system: System) -> None:
        parts = controlled_parts(system, on)
        forces = Forces(velocity_names(system, parts))

        def h(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
            into = np.zeros(forces.count)
            forces.put(function(t, q, u), into)
            return into

        CallbackElement(system, parts).add(name, 0, 0, (), {"h": h})

    return extend
