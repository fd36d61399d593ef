"""Results: series, impacts, energies, tables, pictures."""
import importlib.util
import math
import shutil

import numpy as np
import pytest

import percuss


@pytest.fixture(scope="module")
def ball():
    """Closed form: it falls from 1 m under 2 m/s^2 and hits the floor at t = 1 s with 2 m/s."""
    return percuss.Model("bouncing-ball").simulate("moreau-jean", dt=1e-3).run(until=1.3).result


def have(module):
    return importlib.util.find_spec(module) is not None


def test_series(ball):
    assert len(ball) == 1301 and ball.t[-1] == pytest.approx(1.3)
    assert "floor.gap" in ball and ball.units["floor.P_N"] == "N s"
    fall = ball.t < 1
    assert np.abs(ball["q"][fall] - (1 - ball.t[fall]**2)).max() < 2e-3
    assert ball[["q", "floor.gap"]].shape == (1301, 2)
    with pytest.raises(KeyError, match="floor.gap"):
        ball["flor.gap"]
    with pytest.raises(ValueError):
        ball["q"][0] = 3


def test_impacts_and_energy(ball):
    impact = ball.impacts[0]
    assert impact["contact"] == "floor" and impact["t"] == pytest.approx(1, abs=2e-3)
    e = percuss.Model("bouncing-ball").parameters["e"]
    assert impact["velocity_before"] == pytest.approx(-2, abs=5e-3)
    assert impact["velocity_after"] == pytest.approx(2 * e, abs=5e-3)
    assert impact["P_N"] == pytest.approx(2 * (1 + e), abs=5e-3)
    assert ball.energy.total[0] == pytest.approx(2)
    assert ball.energy.total[-1] == pytest.approx(2 * e * e, abs=2e-2)
    assert ball.contacts == ["floor"] and ball.P_N[impact["row"], 0] == impact["P_N"]


def test_summary_of_a_file_and_of_a_simulation(ball, tmp_path):
    kept = ball.save(tmp_path / "ball.h5")
    live, file = ball.summary, kept.summary
    for key in ("time", "energy.initial", "energy.final", "penetration.max", "iterations.newton.max", "final.q"):
        assert file[key] == pytest.approx(live[key], rel=1e-12), key
    assert file["scheme"] == "moreau-jean" and kept.options["dt"] == "0.001"
    assert "percuss: 1" in kept.model
    assert "energy.final" in repr(live)


def test_tables_of_the_file(ball):
    assert np.array_equal(ball.table("q")[:, 0], ball["q"])
    assert np.array_equal(ball.table("contacts/P_N"), ball.P_N)
    with pytest.raises(KeyError):
        ball.table("nosuch")


def test_impacts_of_a_lean_file():
    m = percuss.Model(text=percuss.Model("bouncing-ball").text + "record: [q]\n")
    r = m.simulate("moreau-jean", dt=1e-3).run(until=1.3).result
    assert r.impacts[0]["P_N"] > 0 and r.recorded == ["q"]


def test_csv_and_vtk(tmp_path):
    r = percuss.Model("slider-crank").simulate("moreau-jean", dt=1e-4).run(until=0.001).result
    r.to_csv(tmp_path / "r.csv", ["time", "slider.x"], every=5)
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert lines[0] == "time [s],slider.x [m]"
    assert [float(line.split(",")[1]) for line in lines[1:]] == list(r["slider.x"][::5])
    r.to_vtk(tmp_path / "vtk")
    assert (tmp_path / "vtk/bodies.pvd").exists()


def test_bad_files(tmp_path):
    (tmp_path / "bad.h5").write_text("no")
    with pytest.raises(percuss.ModelError, match="bad.h5"):
        percuss.Result(tmp_path / "bad.h5")


@pytest.mark.skipif(not have("pandas"), reason="no pandas")
def test_pandas(ball):
    table = ball.impacts.to_pandas()
    assert list(table["contact"])[0] == "floor" and "P_F.1" in table
    frame = ball.to_pandas(["q"])
    assert frame.index.name == "time" and frame["q"].iloc[-1] == ball["q"][-1]


@pytest.mark.skipif(not have("xarray"), reason="no xarray")
def test_xarray(ball):
    data = ball.to_xarray()
    assert data["floor.gap"].attrs["units"] == "m"
    assert float(data["q"].sel(time=0.5, method="nearest")) == pytest.approx(0.75, abs=2e-3)


@pytest.mark.skipif(not have("matplotlib"), reason="no matplotlib")
def test_plots_with_matplotlib(ball):
    import matplotlib

    matplotlib.use("Agg")
    axes = ball.plot("q", ["floor.gap", "floor.P_N"])
    assert len(axes) == 2 and len(axes[1].lines) == 2


def test_plots_by_the_program(ball, monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    shown = ball.plot("q")
    assert shown._repr_mimebundle_()["image/svg+xml"].lstrip().startswith("<?xml")
    with pytest.raises(KeyError, match="nearest"):
        ball.plot("nosuch")


def test_films(tmp_path):
    r = percuss.Model("slider-crank", mu=0.1).simulate("moreau-jean", dt=1e-3).run(until=0.05).result
    film = r.film(tmp_path / "film.svg", width=400)
    assert (tmp_path / "film.svg").read_text() == film.text and "<svg" in film.text
    page = r.film(frames=5)
    assert "<iframe" in page._repr_mimebundle_()["text/html"]
    with pytest.raises(percuss.ArgumentError, match="widht"):
        r.film(widht=3)


def test_a_film_of_a_model_built_by_calls():
    m = percuss.Model(gravity=[0, -9.81])
    m.body("ball", mass=1, inertia=0.1, position=[0, 1])
    m.contact("floor", disc="ball", radius=0.1, plane={"point": [0, 0], "normal": [0, 1]}, restitution=0.5)
    film = m.simulate(dt=1e-3).run(until=0.5).result.film(frames=1)
    assert "<circle" in film.text


def test_views():
    r = percuss.Model("slider-crank").simulate("moreau-jean", dt=1e-3).run(until=0.05).result
    assert "<iframe" in r.view()._repr_mimebundle_()["text/html"]


def test_nothing_is_lost_between_events_and_rows(ball):
    assert math.isclose(ball["floor.P_N"].sum(), ball.P_N.sum())


def test_contacts_between_shapes(models, tmp_path):
    """A stack of dominoes: the floor carries their weight, events and files tell the same."""
    model = percuss.Model(models / "dominoes.yaml", N=4)
    sim = model.simulate("moreau-jean", dt=1e-3)
    sim.run(until=0.15)
    r = sim.result
    found, offsets = r.found, r.found_offsets
    assert len(offsets) == len(r) + 1 and offsets[0] == 0 and offsets[-1] == len(found)
    assert set(r.shapes["body"]) == {"domino0", "domino1", "domino2", "domino3", "ground"}
    last = found[offsets[3]:offsets[4]]
    assert (last["row"] == 3).all() and (last["t"] == r.t[3]).all()
    on_floor = r.shapes["body"][last["shape"][:, 1]] == "ground"
    weight = 4 * 800 * 0.05 * 0.008 * 9.81 * 1e-3
    lifted = 0.05 * weight  # the first one falls
    assert abs(last["P"][on_floor, 1].sum() - weight) < lifted
    # the last domino stands still
    alone = last[last["shape"][:, 0] == 3]
    assert abs(alone["P"][:, 1].sum() - weight / 4) < 1e-12 and np.allclose(alone["gap"], 0, atol=1e-12)
    assert np.allclose(np.sum(found["P"] * found["normal"], axis=1), found["P_N"])
    # what is going on now
    assert np.array_equal(sim.found["P"], found[offsets[-2]:]["P"])
    tally = sim.pair_tallies["domino3", "ground"]
    assert tally.closings == 1 and tally.steps_closed == 150
    # events, impacts, the summary
    closed = r.events[r.events["kind"] == "closed"]
    assert len(closed) == sim.summary["events.closed"] == len(r.impacts)
    hit = r.impacts[r.impacts["contact"] == "domino0 - domino1"][0]
    assert hit["velocity_before"] < -0.01 and abs(hit["velocity_after"]) < 1e-9 and hit["P_N"] > 0
    r.to_found_csv(tmp_path / "found.csv")
    lines = (tmp_path / "found.csv").read_text().splitlines()
    assert len(lines) == 1 + len(found)
    assert lines[-1].split(",")[-1] == f"{found['gap'][-1]:.17g}"


def test_a_state_with_contacts_between_shapes(models):
    """Going back to a state gives the same bits; no contact counts as closing again."""
    model = percuss.Model(models / "dominoes.yaml", N=4)
    for scheme in ("moreau-jean", "rattle"):
        sim = model.simulate(scheme, dt=1e-3)
        sim.run(until=0.1)
        state = sim.state
        sim.run(until=0.12)
        q, P = sim.q.copy(), sim.found["P"]
        sim.restore(state)
        sim.run(until=0.12)
        assert np.array_equal(sim.q, q) and np.array_equal(sim.found["P"], P)
        assert [e["kind"] for e in sim.events if e["t"] < 0.1025] == []


def test_a_picture_is_saved_as_its_ending_says(tmp_path, monkeypatch):
    picture = percuss.Picture('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><rect width="4" height="3"/></svg>', "svg")
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == picture.text
    if shutil.which("rsvg-convert"):
        picture.save(tmp_path / "a.png")
        assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        picture.save(tmp_path / "a.PDF")
        assert (tmp_path / "a.PDF").read_bytes()[:5] == b"%PDF-"
    for name in ("a.jpg", "a", "a.html"):
        with pytest.raises(percuss.ArgumentError, match="must end in '.svg', '.png' or '.pdf'"):
            picture.save(tmp_path / name)
        assert not (tmp_path / name).exists()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(percuss.Error, match="install librsvg2-bin"):
        picture.save(tmp_path / "b.png")
