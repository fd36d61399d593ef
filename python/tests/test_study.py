"""compare, converge, sweep, and contact problems."""
import os
import subprocess

import numpy as np
import pytest

import percuss


def test_compare_is_that_of_the_program(program):
    ours = percuss.compare("bouncing-ball", ["moreau", "moreau-jean"], repeat=1)
    said = program("compare", "bouncing-ball", "--schemes", "moreau,moreau-jean", "--repeat", "1", "--json", "--quiet")
    for scheme in ("moreau", "moreau-jean"):
        assert ours[scheme]["distance"] == said[scheme]["distance"]
        assert ours[scheme]["energy.final"] == said[scheme]["energy"]["final"]
    assert "moreau-jean" in repr(ours)


def test_compare_of_a_model_built_by_calls():
    m = percuss.Model(w=3.0)
    m.coordinate("x", value=1)
    m.kinetic("x'^2/2")
    m.potential("w^2*x^2/2")
    found = percuss.compare(m, ["moreau-jean", "rattle"], dt=1e-2, until=1, repeat=1)
    assert {row["status"] for row in found.values()} == {"done"}
    with pytest.raises(percuss.ArgumentError, match="functions in Python"):
        m.control(lambda t, q, u: None)
        percuss.compare(m)


def test_orders_of_convergence():
    m = percuss.Model(text="percuss: 1\ncoordinates: {x: 1}\nkinetic: x'^2/2\npotential: x^2/2\nexact: {x: cos(t)}\n")
    found = percuss.converge(m, "lobatto", dt=[0.1, 0.05], until=1, stages=3, reference="exact")
    assert found.order["q"] == pytest.approx(4, abs=0.2)
    assert found.error["q"][1] < found.error["q"][0] and "order" in repr(found)
    with pytest.raises(percuss.ArgumentError):
        percuss.converge(m, "lobatto", dt=[0.1])


def test_what_the_program_says_is_the_exception():
    with pytest.raises(percuss.ArgumentError, match="until"):
        percuss.compare(percuss.Model(text="percuss: 1\nbodies: {b: {kind: point, mass: 1}}\n"))


def test_sweeps(tmp_path):
    table = percuss.sweep("slider-crank-minimal", set={"mu": "0.01:0.1:4"}, collect=["final.th1", "max(corner1.P_N)"],
                          scheme="moreau", dt=1e-4, until=0.02)
    assert len(table) == 4
    for row in table:
        s = percuss.Model("slider-crank-minimal", mu=row["mu"]).simulate("moreau", dt=1e-4).run(until=0.02)
        assert row["final.th1"] == s["th1"]
        assert row["max(corner1.P_N)"] == s.result["corner1.P_N"].max()
        assert row["status"] == "done"
    for name in ("t.csv", "t.h5"):
        again = percuss.sweep("slider-crank-minimal", set={"mu": list(table["mu"])}, scheme="moreau", dt=1e-4, until=0.02,
                              collect="final.th1,at(corner1.closed: th1)", out=tmp_path / name, threads=2)
        assert percuss.is_table(tmp_path / name)
        assert np.array_equal(again["final.th1"], table["final.th1"])
        assert np.array_equal(percuss.read_table(tmp_path / name)["final.th1"], table["final.th1"])
        assert all(len(values) > 0 for values in again["at(corner1.closed: th1)"])
    with pytest.raises(percuss.ArgumentError, match="nosuch"):
        percuss.sweep("slider-crank-minimal", set={"nosuch": "1:2:3"}, collect="final.th1", until=0.01)


def test_monte_carlo_is_that_of_the_program(program, tmp_path):
    """Clearance and friction of the slider-crank; tests/cli/test_sweep.py compares the program with itself under mpirun."""
    options = {"scheme": "moreau", "dt": 1e-4, "until": 0.02, "samples": 64, "seed": 7}
    given = {"mu": "normal(0.05,0.01)", "d": "uniform(0.0515,0.0525)"}
    table = percuss.sweep("slider-crank-minimal", set=given, collect="max(corner1.P_N)", **options)
    program("sweep", "slider-crank-minimal", *[w for k, v in given.items() for w in ("--set", f"{k}={v}")], "--collect",
            "max(corner1.P_N)", "--out", tmp_path / "t.csv", "--quiet", *[w for k, v in options.items() for w in (f"--{k}", v)])
    same = percuss.read_table(tmp_path / "t.csv")
    for name in ("mu", "d", "max(corner1.P_N)"):
        assert np.array_equal(table[name], same[name])
    assert abs(table["mu"].mean() - 0.05) < 0.005
    assert 0.0515 < table["d"].min() and table["d"].max() < 0.0525
    largest = table["max(corner1.P_N)"]
    error = largest.std(ddof=1) / len(largest) ** 0.5  # 10 000 samples have a mean of 0.059993 +- 0.000036 N s
    assert abs(largest.mean() - 0.06) < 5 * error


# ---- contact problems -----------------------------------------------------------------------------------------

def obeys(problem, solution, tolerance=1e-9):
    """The laws of contact, from the definition."""
    d = 3
    z, y = solution.z, solution.y
    for k in range(problem.contact_count):
        zn, yn, zt, yt = z[d * k], y[d * k], z[d * k + 1:d * k + d], y[d * k + 1:d * k + d]
        assert zn >= -tolerance and yn >= -tolerance and abs(zn * yn) < tolerance
        assert np.hypot(*zt) <= problem.mu[k] * zn + tolerance
        if np.hypot(*yt) > 1e-6:
            assert np.allclose(zt, -problem.mu[k] * zn * yt / np.hypot(*yt), atol=1e-7)


def test_random_problems_obey_the_laws():
    random = np.random.default_rng(3)
    for n in (1, 4, 12):
        W = random.standard_normal((3 * n, 3 * n + 4))
        problem = percuss.Problem(W @ W.T, random.standard_normal(3 * n), mu=random.uniform(0.1, 0.9, n))
        solution = percuss.solve(problem)
        assert solution.converged and solution.residual < 1e-10
        obeys(problem, solution)


def test_a_block_on_a_slope():
    """One contact, y = z/m + b: it sticks below the friction angle and slips above."""
    for angle, slips in ((0.2, False), (0.5, True)):
        b = [-np.cos(angle), np.sin(angle), 0]
        s = percuss.solve(np.eye(3), b, mu=0.3)
        assert s.z[0] == pytest.approx(np.cos(angle))
        assert bool(s.y[1] > 1e-9) is slips
        assert s.z[1] == pytest.approx(-min(np.sin(angle), 0.3 * np.cos(angle)))


def test_equalities_and_dimensions():
    A = np.array([[2.0, 1], [1, 3]])
    s = percuss.solve(A, [-1, 0], dimension=1, equalities=1)
    assert s.y[1] == pytest.approx(0) and s.y[0] == pytest.approx(0) and s.z[0] > 0
    planar = percuss.solve(np.eye(2), [-1, 5], mu=0.5, dimension=2)
    assert planar.z == pytest.approx([1, -0.5])
    with pytest.raises(percuss.ArgumentError):
        percuss.solve(np.eye(4), np.zeros(4))
    with pytest.raises(percuss.NotFinite):
        percuss.solve(np.eye(3) * np.nan, np.zeros(3))
    with pytest.raises(percuss.ArgumentError, match="solver"):
        percuss.solve(np.eye(3), np.zeros(3), solver="nosuch")
    assert set(percuss.solvers()) >= {"auto", "newton", "nsgs"}


def test_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    blocks = [np.eye(3) * (k + 1) for k in range(5)]
    b = np.tile([-1.0, 0.3, 0], 5)
    dense = percuss.solve(sparse.block_diag(blocks).toarray(), b, mu=0.2)
    s = percuss.solve(sparse.block_diag(blocks), b, mu=0.2)
    assert s.islands == 5 and np.allclose(s.z, dense.z)


@pytest.mark.skipif("PERCUSS_MAKE_FCLIB" not in os.environ, reason="the maker of files comes with the build")
def test_files_of_fclib(tmp_path, program):
    make = [os.environ["PERCUSS_MAKE_FCLIB"], tmp_path / "p.hdf5", "local", "space", "2"]
    subprocess.run(make, check=True)
    solution = percuss.solve(tmp_path / "p.hdf5")
    assert solution.converged
    problem = percuss.Problem.read(tmp_path / "p.hdf5")
    assert problem.residual(solution.z) == solution.residual
    problem.write_solution(solution.z, tmp_path / "s.hdf5")
    said = program("solve", tmp_path / "p.hdf5", "--json")
    assert said["status"] == "solved" and said["residual"] == solution.residual
    assert said["contacts"] == problem.about["contacts"] == 26
