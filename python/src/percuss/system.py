"""Systems built element by element: the C interface (elements.h) as it is, with Python functions in it.

A `System` has a method for every `pc_add_*` function of the library; its keywords are the fields of the
definition, its defaults those of the library. `Model` is more convenient and enough for nearly everything; a
system is for what a model file cannot say: terms, kinematics, gap curves and outputs that are Python functions.
"""
from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from ._alone import Alone, one_thread
from ._callbacks import Functions, Guard, field_type, numbers
from ._interface import FUNCTIONS, STRUCTS
from ._library import call, enum, ffi, lib, text
from ._names import to_library, to_python
from .errors import ArgumentError
from .geometry import Geometry


class Part:
    """A part of a system: a body, a point mass, coordinates. `percuss.GROUND` is the inertial frame."""

    def __init__(self, index: int, name: str) -> None:
        self.index, self.name = index, name

    def __repr__(self) -> str:
        return f"<part {self.name}>"


GROUND = Part(-1, "ground")


class Joint:
    """A joint of a system: its name and kind; its rows, at position and velocity level, once the system is frozen."""

    def __init__(self, index: int, system: "System") -> None:
        self.index, self._system = index, system

    @property
    def _info(self) -> Any:
        return lib.pc_system_joint(self._system._pointer, [self.index])

    @property
    def name(self) -> str:
        return text(self._info.name)

    @property
    def kind(self) -> str:
        return text(self._info.kind)

    @property
    def rows(self) -> list[int]:
        info = self._info
        return [*range(info.g_row, info.g_row + info.g_count), *range(info.gamma_row, info.gamma_row + info.gamma_count)]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Contact:
    """A contact of a system: its number among the contacts, -1 for a compliant one, and its name."""

    def __init__(self, index: int, name: str) -> None:
        self.index, self.name = index, name

    def __repr__(self) -> str:
        return f"<contact {self.name}>"

_DEFINITIONS = {  # pc_add_* -> its definition, without those that have their own methods below
    name[len("pc_add_"):]: found[1]
    for name, (declaration, _) in FUNCTIONS.items()
    if (found := re.match(r"pc_status pc_add_\w+\(pc_system\* system, const (pc_\w+_def)\* def", declaration))
    and name not in ("pc_add_callback", "pc_add_collider", "pc_add_coordinates", "pc_add_output")
}


def default(struct: str) -> Any:
    """What the library's pc_default_* function gives for a structure."""
    name = "pc_default_" + struct[len("pc_"):]
    return getattr(lib, name)() if name in FUNCTIONS else ffi.new(struct + " *")[0]


def _fields(struct: str) -> dict[str, tuple[tuple[str, ...], str, str]]:
    """keyword -> (where in the structure, type, comment); the law of a contact is part of it."""
    found: dict[str, tuple[tuple[str, ...], str, str]] = {}
    for name, kind, doc in STRUCTS[struct][1]:
        if kind == "pc_contact_law":
            for inner, (path, inner_kind, inner_doc) in _fields(kind).items():
                found[inner] = ((name,) + path, inner_kind, inner_doc)
        else:
            found[name] = ((name,), kind, doc)
    return found


def _shown(value: Any) -> Any:
    """A default as Python shows it."""
    kind = ffi.typeof(value) if isinstance(value, ffi.CData) else None
    if kind is None:
        return value
    if kind.kind == "array":
        return tuple(_shown(v) for v in value)
    if kind.kind in ("pointer", "function"):
        return text(value) if kind.cname == "char *" and value else None
    struct = kind.cname.removeprefix("struct ")
    if struct == "pc_part_id":
        return GROUND if value.index < 0 else value.index
    if struct == "pc_signal":
        return value.constant
    return {name: _shown(getattr(value, name)) for name, _ in kind.fields}


class _Filler:
    """Puts Python values into a definition."""

    def __init__(self, system: "System", functions: Functions) -> None:
        self.system, self.functions = system, functions

    def put(self, owner: Any, path: tuple[str, ...], kind: str, value: Any) -> None:
        for step in path[:-1]:
            owner = getattr(owner, step)
        self.set(owner, path[-1], kind, value)

    def set(self, owner: Any, name: str, kind: str, value: Any) -> None:
        base, _, size = (part.strip() for part in kind.partition("["))
        if size:
            self.array(getattr(owner, name), base, name, value)
        elif base == "const char*":
            setattr(owner, name, self.functions.keep(ffi.new("char[]", str(value).encode())))
        elif base == "pc_part_id":
            getattr(owner, name).index = self.system.part(value).index
        elif base in ("pc_point", "pc_plane", "pc_signal", "pc_gap_field"):
            getattr(self, base[3:])(getattr(owner, name), value)
        elif base in ("int", "double"):
            setattr(owner, name, value)
        else:
            setattr(owner, name, enum(base, value) if isinstance(value, str) else value)

    def array(self, to: Any, base: str, name: str, value: Any) -> None:
        scalar = base in ("int", "double", "pc_signal") and (np.ndim(value) == 0 or callable(value))
        values = [value] if scalar else list(np.ravel(value)) if base == "double" else list(value)
        if len(values) > len(to):
            raise ArgumentError(f"{name}: {len(values)} values, at most {len(to)}")
        for i, item in enumerate(values):
            if base in ("int", "double"):
                to[i] = item
            elif base == "pc_part_id":
                to[i].index = self.system.part(item).index
            else:
                getattr(self, base[3:])(to[i], item)

    def point(self, to: Any, value: Any) -> None:
        """A part, or (part, [x, y, z])."""
        part, at = value if isinstance(value, (tuple, list)) else (value, ())
        to.part.index = self.system.part(part).index
        self.array(to.at, "double", "at", at)

    def plane(self, to: Any, value: Any) -> None:
        """(point, normal) of the ground, (part, point, normal), or a mapping."""
        if not isinstance(value, dict):
            value = dict(zip(("part", "point", "normal")[3 - len(value):], value))
        to.part.index = self.system.part(value.get("part")).index
        self.array(to.point, "double", "point", value.get("point", ()))
        self.array(to.normal, "double", "normal", value["normal"])

    def signal(self, to: Any, value: Any) -> None:
        """A number, or a function of time."""
        if not callable(value):
            constant = lib.pc_constant_signal(value)
            to.constant, to.value = constant.constant, constant.value
            return
        to.value = self.functions.make(field_type("pc_signal", "value"), lambda user, t: float(value(t)),
                                       error=float("nan"))

    def gap_field(self, to: Any, value: Callable[[float, float], Any]) -> None:
        """A function of x, y that returns the gap, its gradient and its Hessian."""
        def evaluate(user: Any, at: Any, gap: Any, gradient: Any, hessian: Any) -> None:
            gap[0] = gradient[0] = gradient[1] = float("nan")  # what is left if it raises
            values = value(at[0], at[1])
            numbers(gradient, 2)[:] = np.ravel(values[1])
            numbers(hessian, 4)[:] = np.ravel(values[2])
            gap[0] = values[0]

        to.value = self.functions.make(field_type("pc_gap_field", "value"), evaluate)


@one_thread(asks="part joint contact bar_elements beam_last_node",
            changes="_node _add callback coordinates material material_pair collider exclude allow close_rows output "
                    "force_output freeze")
class System:
    """A system under construction: `dimension` 1, 2 or 3, `gravity` [m/s^2].

    Use `percuss.Model(system=...)` to simulate it; it is frozen then.
    """

    def __init__(self, dimension: int = 2, gravity: Sequence[float] = (0, 0, 0)) -> None:
        made = lib.pc_default_system_def()
        made.dimension = dimension
        for i, g in enumerate(gravity):
            made.gravity[i] = g
        handle = ffi.new("pc_system **")
        call(lib.pc_system_create, ffi.new("pc_system_def *", made), handle)
        self._attach(ffi.gc(handle[0], lib.pc_system_destroy), Guard())

    @classmethod
    def _of(cls, pointer: Any, guard: Guard) -> "System":
        """A system that somebody else owns: a model file that is being read."""
        made = cls.__new__(cls)
        made._attach(pointer, guard)
        return made

    if TYPE_CHECKING:  # the methods that come from the library's tables
        def __getattr__(self, kind: str) -> Callable[..., Any]: ...

    def _attach(self, pointer: Any, guard: Guard) -> None:
        self._alone = Alone("the system")
        self._pointer = pointer
        self._guard = guard
        self._functions = Functions(guard)

    def part(self, which: "Part | str | int | None") -> Part:
        """A part by its name; None and "ground" are the ground."""
        if isinstance(which, Part):
            return which
        if which is None:
            return GROUND
        if isinstance(which, int):
            return Part(which, str(which))
        found = ffi.new("pc_part_id *")
        call(lib.pc_system_find_part, self._pointer, which.encode(), found)
        return GROUND if found.index < 0 else Part(found.index, which)

    def joint(self, name: str) -> Joint:
        """A joint by its name."""
        found = ffi.new("pc_joint_id *")
        call(lib.pc_system_find_joint, self._pointer, name.encode(), found)
        return Joint(found.index, self)

    def contact(self, name: str) -> Contact:
        """A contact by its name."""
        found = ffi.new("pc_contact_id *")
        call(lib.pc_system_find_contact, self._pointer, name.encode(), found)
        return Contact(found.index, name)

    def _node(self, function: Any, part: "Part | str", node: int) -> Part:
        found = ffi.new("pc_part_id *")
        owner = self.part(part)
        call(function, self._pointer, [owner.index], node, found)
        return Part(found.index, f"{owner.name}.{node}")

    def bar_node(self, bar: "Part | str", node: int) -> Part:
        """A node of a bar as a part; they are numbered from 0, the root, to `bar_elements`, the tip."""
        return self._node(lib.pc_bar_node, bar, node)

    def beam_node(self, beam: "Part | str", node: int) -> Part:
        """A node of a beam as a part; they are numbered from 0, the root, to `beam_last_node`, the tip."""
        return self._node(lib.pc_beam_node, beam, node)

    def bar_elements(self, bar: "Part | str") -> int:
        """The number of finite elements of a bar; 0 for any other part."""
        return lib.pc_bar_elements(self._pointer, [self.part(bar).index])

    def beam_last_node(self, beam: "Part | str") -> int:
        """The number of a beam's last node, its tip; -1 for any other part."""
        return lib.pc_beam_last_node(self._pointer, [self.part(beam).index])

    def _add(self, kind: str, name: str, given: dict[str, Any]) -> Any:
        struct = _DEFINITIONS[kind]
        definition = ffi.new(struct + " *", default(struct))
        known = _fields(struct)
        filler = _Filler(self, self._functions)
        for key, value in to_library(kind, known, {"name": name, **given}).items():
            path, type_, _ = known[key]
            filler.put(definition, path, type_, value)
        function = getattr(lib, f"pc_add_{kind}")
        given_id = re.search(r"(pc_\w+_id)\* id", FUNCTIONS[f"pc_add_{kind}"][0])
        if not given_id:
            call(function, self._pointer, definition)
            return None
        found = ffi.new(given_id[1] + " *")
        call(function, self._pointer, definition, found)
        if given_id[1] == "pc_joint_id":
            return Joint(found.index, self)
        return (Contact if given_id[1] == "pc_contact_id" else Part)(found.index, name)

    def callback(self, name: str, parts: Sequence["Part | str"], *, g: int = 0, gamma: int = 0,
                 contacts: Sequence[dict[str, Any]] = (), **functions: Callable[..., Any]) -> None:
        """Adds an element whose terms are Python functions of the coordinates and velocities of `parts`, one part
        after the other.

        g, gamma: how many rows of position and of velocity level it has; contacts: the laws of its contacts, with
        the keys name, mu, e_N, e_F. The functions take numpy arrays and return one:

            M(t, q)          mass matrix, n_u x n_u           Ma_q(t, q, a)   d(M a)/dq, n_u x n_q
            h(t, q, u)       forces, n_u                      h_q, h_u        their derivatives
            energy(t, q, u)  kinetic and potential energy     y(t, q)         positions of the rows
            W(t, q)          rows x n_u, or that and chi      W_q(t, q)       rows x n_u x n_q

        y returns a number for each row that has a position: those of g, and one for each contact.
        A derivative that is not given is taken by differences; pc_callback_def in elements.h tells more.
        """
        CallbackElement(self, [self.part(p) for p in parts]).add(name, g, gamma, contacts, functions)

    def coordinates(self, name: str, q0: Sequence[float], u0: Sequence[float] | None = None, *,
                    q_names: Sequence[str] | None = None, u_names: Sequence[str] | None = None,
                    q_dot: Callable[..., Any] | None = None, B: Callable[..., Any] | None = None,
                    q_dot_q: Callable[..., Any] | None = None, plain: int = 0) -> Part:
        """Adds coordinates of your own, q' = u, or q' = B(t, q) u + beta(t, q) with the functions
        q_dot(t, q, u), B(t, q) and, if you have it, q_dot_q(t, q, u) = d(q_dot)/dq. Returns the part."""
        keep = self._functions.keep
        definition = ffi.new("pc_coordinates_def *", lib.pc_default_coordinates_def())
        q = keep(ffi.new("double[]", [float(x) for x in q0]))
        u = keep(ffi.new("double[]", [float(x) for x in ([0.0] * len(q0) if u0 is None else list(u0))]))
        definition.name = keep(ffi.new("char[]", name.encode()))
        definition.q_count, definition.u_count, definition.q0, definition.u0 = len(q), len(u), q, u
        both: list[tuple[str, Sequence[str] | None, int]] = [("q_name", q_names, len(q)), ("u_name", u_names, len(u))]
        for field, names, count in both:
            if names is not None:
                if len(names) != count:
                    raise ArgumentError(f"{field}s: {len(names)} names for {count} numbers")
                texts = [keep(ffi.new("char[]", n.encode())) for n in list(names)]
                setattr(definition, field, keep(ffi.new("char *[]", texts)))
        self._kinematics(definition.kinematics, len(q), len(u), {"q_dot": q_dot, "B": B, "q_dot_q": q_dot_q}, plain)
        found = ffi.new("pc_part_id *")
        call(lib.pc_add_coordinates, self._pointer, definition, found)
        return Part(found.index, name)

    def _kinematics(self, to: Any, n_q: int, n_u: int, functions: dict[str, Any], plain: int) -> None:
        sizes = {"q_dot": (n_q, (n_q, n_u)), "B": (n_q * n_u, (n_q,)), "q_dot_q": (n_q * n_q, (n_q, n_u))}
        to.plain = plain
        for name, function in functions.items():
            if function is not None:
                size, arguments = sizes[name]
                made = array_function(function, arguments, (size,))
                setattr(to, name, self._functions.make(field_type("pc_kinematics", name), made))

    def _material(self, keys: dict[str, Any]) -> Any:
        made = ffi.new("pc_material *", lib.pc_default_material())
        for key, value in to_library("material", [name for name, _, _ in STRUCTS["pc_material"][1]], keys).items():
            setattr(made, key, value)
        return made

    def material(self, name: str, **law: float) -> int:
        """Adds a material for shapes, with the keys mu, e_N, e_F, contact_radius. Returns its number."""
        found = ffi.new("pc_material_id *")
        call(lib.pc_add_material, self._pointer, name.encode(), self._material(law), found)
        return found.index

    def material_pair(self, a: int, b: int, **law: float) -> None:
        """Sets the law between two materials, which may be the same one twice."""
        call(lib.pc_set_material_pair, self._pointer, [a], [b], self._material(law))

    def collider(self, name: str, part: "Part | str | None", geometry: Geometry, *, material: int, at: Any = None,
                 group: int | None = None, mask: int | None = None) -> int:
        """Puts a shape on a part; contacts between shapes are found in every step. `at` is a percuss.pose() in the frame
        of the part. Returns its number."""
        made = ffi.new("pc_collider_def *", lib.pc_default_collider_def())
        made.name = self._functions.keep(ffi.new("char[]", name.encode()))
        made.part.index, made.material.index = self.part(part).index, material
        made.geometry.index = geometry._hand_over(self._pointer)
        for field, value in (("pose", at), ("group", group), ("mask", mask)):
            if value is not None:
                setattr(made, field, value)
        index = ffi.new("int *")
        call(lib.pc_add_collider, self._pointer, made, index)
        return index[0]

    def exclude(self, a: "Part | str | None", b: "Part | str | None") -> None:
        """The shapes of two parts never meet."""
        call(lib.pc_exclude_parts, self._pointer, [self.part(a).index], [self.part(b).index])

    def allow(self, a: "Part | str | None", b: "Part | str | None") -> None:
        """The shapes of two parts meet although a joint ties them."""
        call(lib.pc_allow_parts, self._pointer, [self.part(a).index], [self.part(b).index])

    def close_rows(self) -> None:
        """Numbers and names the rows: from here on only outputs can be added."""
        call(lib.pc_system_close_rows, self._pointer)

    def output(self, name: str, value: Callable[["At"], float], unit: str = "", period: float = 0.0) -> None:
        """Adds a quantity that is a Python function of a state, `value(at)` with at.t, at.dt, at.q, at.u, at.y,
        at.y_dot, at.P. After it, only outputs can be added. `period` is that of an angle, or 0."""
        self.close_rows()
        sizes = (lib.pc_system_q_count(self._pointer), lib.pc_system_u_count(self._pointer),
                 lib.pc_system_row_count(self._pointer))
        definition = ffi.new("pc_output_def *")
        keep = self._functions.keep
        definition.name = keep(ffi.new("char[]", name.encode()))
        definition.unit = keep(ffi.new("char[]", unit.encode()))
        definition.period = period
        definition.value = self._functions.make(field_type("pc_output_def", "value"),
                                                lambda user, at: float(value(At(at, sizes))), error=float("nan"))
        call(lib.pc_add_output, self._pointer, definition)

    def force_output(self, name: str) -> None:
        """Adds an acceleration or a force as a quantity, by its name: `rod.ax`, `pin.lambda.1`, `floor.lambda_N`. After
        it, only outputs can be added."""
        call(lib.pc_add_force_output, self._pointer, name.encode())

    def freeze(self) -> None:
        """Checks the system and lays it out; nothing can be added afterwards."""
        call(lib.pc_system_freeze, self._pointer)


class At:
    """What an output is computed from."""

    def __init__(self, at: Any, sizes: tuple[int, int, int]) -> None:
        n_q, n_u, rows = sizes
        self.t, self.dt = at.t, at.dt
        self.q, self.u = numbers(at.q, n_q), numbers(at.u, n_u)
        self.y, self.y_dot, self.P = numbers(at.y, rows), numbers(at.y_dot, rows), numbers(at.P, rows)


def array_function(function: Callable[..., Any], arguments: Sequence[int], results: Sequence[int]) -> Any:
    """A function of (user, t, arrays ..., results ...) around one of (t, arrays ...) that returns the results."""
    def evaluate(user: Any, t: float, *pointers: Any) -> None:
        into = [numbers(p, n) for p, n in zip(pointers[len(arguments):], results)]
        try:
            given = function(t, *(numbers(p, n) for p, n in zip(pointers, arguments)))
            several = isinstance(given, tuple) and len(into) > 1
            for array, value in zip(into, given if several else (given,)):
                array[:] = np.ravel(value)
        except BaseException:
            for array in into:
                array.fill(np.nan)  # which stops the step
            raise

    return evaluate


class CallbackElement:
    """A pc_callback_def in the making."""

    def __init__(self, system: System, parts: list[Part]) -> None:
        self.system, self.parts = system, parts
        infos = [lib.pc_system_part_info(system._pointer, [p.index]) for p in parts if p.index >= 0]
        self.n_q = sum(i.q_count for i in infos)
        self.n_u = sum(i.u_count for i in infos)

    def sizes(self, rows: int) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """function -> sizes of its arguments and of its results"""
        q, u = self.n_q, self.n_u
        return {"M": ((q,), (u * u,)), "Ma_q": ((q, u), (u * q,)), "h": ((q, u), (u,)), "h_q": ((q, u), (u * q,)),
                "h_u": ((q, u), (u * u,)), "energy": ((q, u), (2,)), "y": ((q,), (rows,)),
                "W": ((q,), (rows * u, rows)), "W_q": ((q,), (rows * u * q,))}

    def add(self, name: str, g: int, gamma: int, contacts: Sequence[dict[str, Any]],
            functions: dict[str, Callable[..., Any]]) -> None:
        keep, lib_system = self.system._functions.keep, self.system._pointer
        definition = ffi.new("pc_callback_def *", lib.pc_default_callback_def())
        definition.name = keep(ffi.new("char[]", name.encode()))
        definition.part = keep(ffi.new("pc_part_id[]", [[p.index] for p in self.parts]))
        definition.part_count = len(self.parts)
        laws, normal, rows = self.laws(contacts)
        definition.g_count, definition.gamma_count, definition.contact_count = g, gamma, len(contacts)
        definition.contact = laws
        sizes = self.sizes(g + gamma + rows)
        for key, function in functions.items():
            if key not in sizes:
                raise TypeError(f"callback() has no function '{key}'; it has {', '.join(sizes)}")
            if key == "y":
                function = spread(function, list(range(g)) + [g + gamma + k for k in normal], g + gamma + rows)
            made = array_function(function, *sizes[key])
            setattr(definition, key, self.system._functions.make(field_type("pc_callback_def", key), made))
        call(lib.pc_add_callback, lib_system, definition)

    def laws(self, contacts: Sequence[dict[str, Any]]) -> tuple[Any, list[int], int]:
        """The laws of the contacts, their normal rows, and how many rows they have together."""
        laws = self.system._functions.keep(ffi.new("pc_contact_law[]", max(len(contacts), 1)))
        filler, known = _Filler(self.system, self.system._functions), _fields("pc_contact_law")
        normal, rows = [], 0
        for law, keys in zip(laws, contacts):
            ffi.memmove(ffi.addressof(law), ffi.new("pc_contact_law *", lib.pc_default_contact_law()), ffi.sizeof(law))
            for key, value in keys.items():
                filler.put(law, known[key][0], known[key][1], value)
            normal.append(rows)
            rows += lib.pc_system_dimension(self.system._pointer) if law.mu >= 0 else 1
        return (laws if len(contacts) else ffi.NULL), normal, rows


def spread(function: Callable[..., Any], places: list[int], rows: int) -> Callable[..., Any]:
    """Puts the positions that a function returns where their rows are."""
    def evaluate(t: float, q: np.ndarray) -> np.ndarray:
        y = np.zeros(rows)
        y[places] = np.ravel(function(t, q))
        return y

    return evaluate


def _make(kind: str, struct: str) -> Any:
    def add(self: System, name: str, **given: Any) -> Any:
        return self._add(kind, name, given)

    values, parameter = default(struct), inspect.Parameter
    listed = [parameter("self", parameter.POSITIONAL_OR_KEYWORD), parameter("name", parameter.POSITIONAL_OR_KEYWORD)]
    lines = [FUNCTIONS[f"pc_add_{kind}"][1], STRUCTS[struct][0], ""]
    for key, (path, _, doc) in _fields(struct).items():
        value = values
        for step in path:
            value = getattr(value, step)
        if key != "name":
            listed.append(parameter(to_python(key), parameter.KEYWORD_ONLY, default=_shown(value)))
            lines.append(f"    {key}: {doc}" if doc else f"    {key}")
    add.__name__, add.__qualname__ = kind, f"System.{kind}"
    add.__doc__ = "\n".join(lines).strip()
    add.__signature__ = inspect.Signature(listed)  # type: ignore[attr-defined]
    return add


for _kind, _struct in _DEFINITIONS.items():
    setattr(System, _kind, _make(_kind, _struct))
