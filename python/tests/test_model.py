"""Models: files, texts, calls, systems; errors."""
import inspect
import math

import numpy as np
import pytest

import percuss


def slider_crank(**parameters):
    """models/slider-crank.yaml, by calls."""
    m = percuss.Model(title="by calls", gravity=[0, "-g"], l1=0.153, l2=0.306, a=0.05, b=0.025, d=0.052, m1=0.038, m2=0.038,
                      m3=0.076, J1=7.4e-5, J2=5.9e-4, J3=2.7e-6, mu=0.01, e=0.4, g=9.81, w1=150, w2=-75, w3=0, phi3=0.017)
    for name, value in parameters.items():
        m.parameter(name, value)
    crank = m.body("crank", mass="m1", inertia="J1", position=["l1/2", 0], velocity=[0, "l1/2*w1"], spin="w1")
    rod = m.body("rod", mass="m2", inertia="J2", position=["l1 + l2/2", 0], velocity=[0, "l1*w1 + l2/2*w2"], spin="w2")
    slider = m.body("slider", mass="m3", inertia="J3", position=["l1 + l2", 0], angle="phi3",
                    velocity=[0, "l1*w1 + l2*w2"], spin="w3")
    m.revolute("base", bodies=["ground", crank], at=[0, 0])
    m.revolute("crank-pin", bodies=[crank, rod], at=["l1", 0])
    m.revolute("wrist-pin", bodies=[rod, slider], at=["l1 + l2", 0])
    for name, x, y in (("corner1", "-a", 1), ("corner2", "a", 1), ("corner3", "-a", -1), ("corner4", "a", -1)):
        m.contact(name, point=[slider, [x, "b" if y > 0 else "-b"]],
                  plane={"point": [0, "d/2" if y > 0 else "-d/2"], "normal": [0, -y]}, friction="mu", restitution="e")
    return m


def test_a_model_built_by_calls_is_the_file_to_the_last_bit(models):
    runs = [m.simulate("rattle", dt=1e-4).run(until=0.01)
            for m in (slider_crank(mu=0.1), percuss.Model(models / "slider-crank.yaml", mu=0.1))]
    assert np.array_equal(runs[0].q, runs[1].q) and np.array_equal(runs[0].u, runs[1].u)
    assert runs[0].model.names == runs[1].model.names


def test_the_text_of_calls_is_a_model_file(tmp_path):
    m = slider_crank()
    m.save(tmp_path / "m.yaml")
    again = percuss.Model(tmp_path / "m.yaml", mu=0.1)
    assert again.parameters["mu"] == 0.1 and again.title == "by calls"
    assert np.array_equal(again.q0, m.q0)


def test_parameters_are_overridden_and_expressions(models):
    m = percuss.Model(models / "slider-crank.yaml", mu="0.1 + e", e=np.float64(0.25))
    assert m.parameters["mu"] == pytest.approx(0.35, abs=0)
    assert percuss.Model("slider-crank", parameters={"mu": 0.2}).contacts[0].mu == 0.2


def test_errors_carry_the_librarys_text_and_place(tmp_path):
    with pytest.raises(percuss.ModelError, match="nosuch.yaml.*cannot open"):
        percuss.Model("nosuch.yaml")
    path = tmp_path / "bad.yaml"
    path.write_text("percuss: 1\nbodies:\n  ball: {mass: 1, inertai: 2}\n")
    with pytest.raises(percuss.ModelError) as caught:
        percuss.Model(path)
    error = caught.value
    assert (error.line, error.column) == (3, 19) and error.path == str(path) and error.status == "PC_BAD_MODEL"
    assert str(error).startswith(f"{path}:3:19: ") and "inertia" in str(error)
    with pytest.raises(percuss.ArgumentError, match="nu"):
        percuss.Model("slider-crank", nu=3)
    with pytest.raises(ValueError):  # they are exceptions that Python's users expect
        percuss.Model(text="percuss: 2")


def test_wrong_calls_say_what_would_be_right():
    m = percuss.Model()
    with pytest.raises(TypeError, match="did you mean 'mass'"):
        m.body("b", mas=1, inertia=1)
    with pytest.raises(TypeError, match="needs bodies, at"):
        m.revolute("pin")
    m.body("b", mass=1, inertia=1)
    with pytest.raises(percuss.ArgumentError, match="already"):
        m.body("b", mass=1, inertia=1)
    with pytest.raises(percuss.ArgumentError, match="complete"):
        percuss.Model("slider-crank").body("b", mass=1, inertia=1)
    with pytest.raises(TypeError, match="friction"):
        m.contact("c", disc="b", frction=3)
    m.revolute("pin", bodies=["ground", "c"], at=[0, 0])
    with pytest.raises(percuss.ModelError, match="'c'|no body"):
        m.simulate()


def test_methods_show_keys_defaults_and_help():
    assert inspect.signature(percuss.Model.revolute).parameters["bodies"].default is inspect.Parameter.empty
    assert repr(inspect.signature(percuss.Model.rigid).parameters["angle"].default) == "0"
    assert "moment of inertia about the centre of mass" in percuss.Model.rigid.__doc__
    for kind in percuss.kinds:
        if kind.section not in ("record", "bodies", "constraints", "contacts"):
            assert hasattr(percuss.Model, kind.name.replace("-", "_")), kind
    c_default = inspect.signature(percuss.System.beam).parameters
    assert c_default["poisson"].default == 0.3 and c_default["shear_factor"].default == pytest.approx(5 / 6)


def test_formulas_by_calls_agree_with_the_closed_form():
    m = percuss.Model(w=3.0)
    x = m.coordinate("x", value=1)
    m.kinetic("x'^2/2")
    m.potential("w^2*x^2/2")
    m.record(x, half="x/2")
    s = m.simulate("lobatto", dt=0.01, stages=3).run(until=1)
    assert s["x"] == pytest.approx(math.cos(3), abs=1e-8)
    assert s.result["half"][-1] == s["x"] / 2
    assert m.parameters == {"w": 3}


def test_exact_motion_of_a_file():
    m = percuss.Model(text="percuss: 1\ncoordinates: {x: 1}\nkinetic: x'^2/2\npotential: x^2/2\nexact: {x: cos(t)}\n")
    assert np.allclose(m.exact("x", [0, 1, 2]), np.cos([0, 1, 2]), atol=1e-15)


def bearing():
    """examples/bearing.c: a journal in a bearing, element by element."""
    system = percuss.System(dimension=2, gravity=(0, -9.81))
    journal = system.body("journal", mass=0.3, inertia=1.5e-5, spin=100)
    system.disc_disc("bearing", mu=0.1, e_N=0.3, centre=[journal, percuss.GROUND], radius=[0.010, 0.011], inside=1)
    return system


def test_a_system_by_calls_is_the_model_file():
    m = percuss.Model(text="percuss: 1\ngravity: [0, -9.81]\nbodies: {journal: {mass: 0.3, inertia: 1.5e-5, spin: 100}}\n"
                      "contacts: {bearing: {disc: journal, radius: 0.010, other: ground, other_radius: 0.011, inside: true,"
                      " friction: 0.1, restitution: 0.3}}\n")
    runs = [x.simulate("moreau-jean", dt=1e-4).run(until=0.5) for x in (percuss.Model(system=bearing()), m)]
    assert np.array_equal(runs[0].q, runs[1].q)
    assert runs[0].result["journal.y"][-1] == runs[1]["journal.y"]


def test_a_system_refuses_what_makes_no_sense():
    system = percuss.System()
    with pytest.raises(percuss.ModelError, match="mass"):
        system.body("b", mass=-1)
    with pytest.raises(TypeError, match="mass"):
        system.body("b", mas=1)
    with pytest.raises(percuss.ArgumentError, match="at most"):
        system.body("b", position=[1, 2, 3])
    with pytest.raises(percuss.ArgumentError, match="bore"):
        percuss.System(3).arc_contact("a", surface="tube")


def test_signals_curves_callbacks_and_outputs_in_python():
    system = percuss.System(dimension=2)
    ball = system.point_mass("ball", mass=2, position=[0, 1])
    system.force("pull", point=ball, force=[0, lambda t: -2.0 * t])
    system.point_curve("floor", point=ball, part=None, e_N=1.0,
                       curve=lambda x, y: (y, [0, 1], [[0, 0], [0, 0]]))
    system.output("height", lambda at: at.q[1] + at.t, unit="m")
    s = percuss.Model(system=system).simulate("moreau-jean", dt=1e-3).run(until=1)
    assert s["ball.y"] == pytest.approx(1 - 1 / 6, abs=1e-5)
    assert s["height"] == s["ball.y"] + 1.0
    s.run(until=3)
    assert s.summary["penetration.max"] < 0.01 and s.summary["events.closed"] >= 1


def test_a_callback_element_is_a_pendulum():
    system = percuss.System(dimension=2)
    phi = system.coordinates("phi", [1.0], q_names=["phi"], u_names=["phi'"])
    system.callback("pendulum", [phi], M=lambda t, q: [[2.0]], h=lambda t, q, u: [-2 * math.sin(q[0])],
                    energy=lambda t, q, u: [u[0]**2, -2 * math.cos(q[0])])
    m = percuss.Model(text="percuss: 1\ncoordinates: {phi: 1}\nkinetic: phi'^2\npotential: -2*cos(phi)\n")
    runs = [x.simulate("rattle", dt=1e-3).run(until=2) for x in (percuss.Model(system=system), m)]
    assert runs[0]["phi"] == pytest.approx(runs[1]["phi"], abs=1e-12)
    assert runs[0].energy == pytest.approx(runs[1].energy, abs=1e-11)


def test_rows_of_a_callback():
    """A bead on a circle and a floor, both as Python functions."""
    system = percuss.System(dimension=2, gravity=(0, -9.81))
    bead = system.point_mass("bead", mass=1, position=[1, 0])
    system.callback("rules", [bead], g=1, contacts=[{"name": "floor", "e_N": 0.5}],
                    y=lambda t, q: [np.hypot(*q) - 1, q[1] + 0.5],
                    W=lambda t, q: [q / np.hypot(*q), [0, 1]])
    s = percuss.Model(system=system).simulate("moreau-jean", dt=1e-3).run(until=2)
    assert abs(np.hypot(*s.q) - 1) < 1e-2
    assert s.q[1] > -0.52 and s.summary["events.closed"] > 0


def test_kinematics_in_python():
    """q' = 2 u."""
    system = percuss.System(dimension=1)
    c = system.coordinates("c", [0.0], [1.0], q_dot=lambda t, q, u: 2 * u, B=lambda t, q: [[2.0]])
    system.callback("mass", [c], M=lambda t, q: [[1.0]])
    s = percuss.Model(system=system).simulate("moreau-jean", dt=0.01).run(until=1)
    assert s.q[0] == pytest.approx(2, abs=1e-12)


def test_geometry():
    m = percuss.Model("slider-crank")
    origin, rotation = m.pose("slider")
    assert origin == pytest.approx([0.459, 0, 0]) and rotation[0, 0] == pytest.approx(math.cos(0.017))
    corner = next(s for s in m.shapes if s.name == "corner1")
    point = corner.contact_point(m.q0)
    assert point == pytest.approx(m.position("slider", (-0.05, 0.025)))
    assert corner.percussion(0, m.q0, [1, 0]) == pytest.approx([0, -1, 0])
    assert m.parts[0].name == "crank" and m.parts[1].q == slice(3, 6)
    assert m.gravity == pytest.approx([0, -9.81, 0])


def test_expressions_and_drawings():
    m = percuss.Model("slider-crank")
    assert m.evaluate("l1 + 2*l2") == pytest.approx(0.765)
    with pytest.raises(percuss.ArgumentError):
        m.evaluate("nosuch + 1")
    assert m.drawings() == {}
    drawn = percuss.Model("bouncing-ball").drawings(q=[0.25])
    for shape in drawn.values():
        assert shape["kind"] in ("point", "line", "circle", "polygon") and np.isfinite(shape["points"]).all()


def two_discs(e=0.0):
    """Two discs above each other, on a floor: contacts that are found."""
    m = percuss.Model(gravity=[0, -9.81])
    m.material("default", friction=0.3, restitution=e)
    for k in (0, 1):
        disc = m.body(f"disc{k}", mass=1, inertia=0.005, position=[0.001 * k, 0.3 + 0.3 * k])
        m.shape(f"rim{k}", disc=0.1, body=disc)
    m.shape("floor", half_plane=[0, 1])
    return m


def test_shapes_by_calls():
    m = two_discs()
    assert [c.name for c in m.colliders] and len(m.colliders) == 3
    disc = next(c for c in m.colliders if c.geometry["kind"] == "disc")
    floor = next(c for c in m.colliders if "half" in c.geometry["kind"])
    assert disc.meets(floor) and disc.law(floor)["mu"] == pytest.approx(0.3) and disc.geometry["radius"] == 0.1
    s = m.simulate("moreau-jean", dt=1e-3)
    q = s.q
    s.run(until=0.4)  # both have fallen; the state of the library has grown by their contacts
    assert q is s.q and q[1] == s["disc0.y"] and 0.09 < s["disc0.y"] < 0.11
    assert s["disc1.y"] == pytest.approx(s["disc0.y"] + 0.2, abs=0.02)
    assert disc.pose(q)[0][1] == pytest.approx(q[1])
    s.step()
    assert q[4] == s["disc1.y"]
    assert s.result["disc1.y"][-1] == s["disc1.y"]


def test_a_controller_on_bodies_whose_contacts_are_found():
    s = two_discs().simulate("moreau-jean", dt=1e-3)
    s.run(until=0.3)

    @s.control(on="disc1")
    def lift(t, q, u):
        return {"disc1.vy": 30.0 - 2 * u[1]}

    before = s.q[4]
    s.run(until=0.8)
    assert s.q[4] > before + 0.3 and s.q[1] < 0.11


def test_shapes_in_a_system():
    system = percuss.System(dimension=3, gravity=(0, 0, -9.81))
    box = percuss.Geometry("box", size=[0.2, 0.4, 0.6])
    mass = box.mass(1000)
    assert mass.mass == pytest.approx(48) and mass.inertia[2, 2] == pytest.approx(48 * (0.2**2 + 0.4**2) / 12)
    assert (mass + mass).mass == pytest.approx(96) and mass.scaled(1).mass == 1
    assert mass.plus(mass, percuss.pose([1, 0, 0])).centre == pytest.approx([0.5, 0, 0])
    body = system.spatial_body("box", mass=mass.mass, inertia=mass.inertia, position=[0, 0, 0.35])
    rubber = system.material("rubber", mu=0.5)
    system.material_pair(rubber, rubber, mu=0.6, e_N=0.1)
    system.collider("box", body, box, material=rubber)
    system.collider("floor", None, percuss.Geometry("half-space"), material=rubber,
                    at=percuss.pose_of_plane(3, [0, 0, 0], [0, 0, 2]))
    m = percuss.Model(system=system)
    assert m.colliders[0].law(m.colliders[1])["mu"] == 0.6
    s = m.simulate("moreau-jean", dt=1e-3).run(until=0.5)
    assert s["box.z"] == pytest.approx(0.3, abs=2e-3)
    with pytest.raises(percuss.ArgumentError, match="belongs"):
        system.collider("again", body, box, material=rubber)
    with pytest.raises(percuss.ArgumentError, match="box"):
        percuss.Geometry("boxx")
    with pytest.raises(percuss.Error):
        percuss.Geometry("disc", radius=-1)


def test_triangles(tmp_path):
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    corners, triangles = percuss.read_triangles(tmp_path / "t.obj")
    assert corners.shape == (4, 3) and triangles.shape == (4, 3)
    solid = percuss.Geometry("polyhedron", corners=corners)
    assert solid.mass(6).mass == pytest.approx(1) and solid.info["dimension"] == 3


ROUGH = """percuss: 1
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.01, position: [0.5, 0], velocity: [1, 0], spin: 2}}
joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}
"""


def test_assemble(program, tmp_path):
    a = percuss.assemble(percuss.Model(text=ROUGH))
    assert a.velocity_before > 0.9 and a.velocity_after < 1e-12 and a.position_before == 0
    # the nearest motion about the pin: angular momentum about it is kept, 0.5*vy + 0.01*spin = 0.26*spin
    assert a.u == pytest.approx([0, 0.5 * 0.02 / 0.26, 0.02 / 0.26], abs=1e-12)
    assert set(a.changes) == {"rod.vx", "rod.vy", "rod.spin"} and a.changes["rod.vx"][0] == 1
    assert "velocities: 1" in repr(a)
    (tmp_path / "m.yaml").write_text(ROUGH)
    said = program("check", str(tmp_path / "m.yaml"), "--assemble", "--json")
    assert {k: (v["before"], v["after"]) for k, v in said["changes"].items()} == a.changes
    s = percuss.Model(text=ROUGH).simulate("rattle", dt=1e-3)
    assert "does not admit the initial velocities" in s.warnings[0].text
    s.u = a.u
    s.run(until=0.1)
    assert s.summary["constraint.velocity.max"] < 1e-9


def test_assembled_models_know_what_the_file_gave():
    m = percuss.Model(text=ROUGH + "assemble: true\n")
    q, u = m.rough_start
    assert u.tolist() == [1, 0, 2] and q.tolist() == m.q0.tolist()
    assert m.u0 == pytest.approx([0, 0.01 / 0.26, 0.02 / 0.26], abs=1e-12)
    assert percuss.assemble(m).changes["rod.vx"][0] == 1
    rough = percuss.Model(text=ROUGH)
    assert rough.rough_start[1].tolist() == rough.u0.tolist()


def test_check():
    report = percuss.check("slider-crank")
    assert report.consistent and report.dof == 3 and report.rank == 6
    assert report.contacts["corner1"].state == "open" and report.joints["base"].row_count == 2
    bad = percuss.check(percuss.Model("slider-crank", w3=5, phi3=0.2))
    assert not bad.consistent and bad.start.penetration_max > 0
    assert "NOT consistent" in repr(bad)


def test_accelerations_and_forces_are_there_for_the_asking():
    m = percuss.Model("pendulum")
    m.ask("rod.ax", "pin.lambda.1", "pin.lambda.2")
    s = m.simulate("generalized-alpha", dt=2e-3).run(until=4)
    assert s["pin.lambda.1"] == pytest.approx(-83.94779796782076, abs=1e-6)  # the independent code's, PVA
    assert s["pin.lambda.2"] == pytest.approx(-68.99534585882148, abs=1e-6)
    assert s.result["rod.ax"][-1] == s["rod.ax"]
    with pytest.raises(KeyError, match="rod.az"):
        m.ask("rod.az")
    assert "rod.ax" in m.names


def test_a_system_has_forces_as_quantities():
    system = percuss.System(gravity=[0, -10])
    system.body("b", mass=1, inertia=1)
    system.force_output("b.ay")
    assert percuss.Model(system=system).simulate("moreau", dt=1e-3)["b.ay"] == -10


def test_joints_and_contacts_of_a_system_have_ids():
    system = percuss.System(2, [0, -9.81])
    ball = system.body("ball", mass=1.0, inertia=0.1, position=[0, 1])
    pin = system.revolute("pin", part=[percuss.GROUND, ball], at=[0, 1])
    floor = system.disc_plane("floor", centre=ball, radius=0.1, plane=([0, 0], [0, 1]))
    percuss.Model(system=system)
    assert (pin.name, pin.kind, pin.rows) == ("pin", "revolute", [0, 1])
    assert system.joint("pin").index == pin.index
    assert system.contact("floor").index == floor.index == 0
    with pytest.raises(percuss.Error, match="no joint 'floor'"):
        system.joint("floor")
