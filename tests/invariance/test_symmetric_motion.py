"""A motion that is symmetric: the slider-crank with play in space, undisturbed, beside the one in the plane.

The motion in the plane is one of those in space, and an unstable one: a disturbance out of the plane grows under every scheme alike, with all
steps. So round-off becomes visible after a while, and until then both models have to agree."""
import numpy as np
import percuss

def simulate(model, dt, scheme="rattle", **parameters):
    return percuss.Model(model, **parameters).simulate(scheme, dt)


def states(model, dt, steps):
    """Coordinates of the three bodies after each step."""
    s = simulate(model, dt)
    found = []
    for _ in range(steps):
        s.step()
        found.append(s.q.copy())
    return np.array(found).reshape(steps, 3, -1)


def test_undisturbed_it_moves_as_in_the_plane():
    """Apart from (27) of RATTLE, which turns a quaternion by another angle than dt w, of second order."""
    apart = []
    for dt, steps in ((1e-5, 2000), (5e-6, 4000)):
        space, plane = (states(model, dt, steps) for model in ("slider-crank-spatial", "slider-crank-clearance"))
        assert abs(space[:, :, [2, 4, 5]]).max() < 1e-10
        difference = abs(space[:, :, :2] - plane[:, :, :2])
        assert difference.max() < 1e-8
        apart.append(difference[:steps // 50].max())  # before the pin touches
    assert abs(apart[0] / apart[1] - 4) < 0.1


def test_a_disturbance_grows_whatever_the_step_and_the_scheme():
    """From 1e-9 rad/s ten thousand times in a millisecond, with a tenth of the play."""
    def spin(scheme, dt):
        s = simulate("slider-crank-spatial", dt, scheme, r=5e-5, tilt=1e-9)
        s.run(1e-3)
        return abs(s.u.reshape(3, 6)[1:, 3:5]).max()
    found = [spin("rattle", 1e-6), spin("rattle", 5e-7), spin("moreau-jean", 2.5e-7)]
    assert all(2e-6 < x < 2e-5 for x in found), found
    assert abs(found[0] / found[1] - 1) < 0.05, found


def test_with_little_play_it_runs_through_two_revolutions():
    s = simulate("slider-crank-spatial", 1e-6, r=5e-5, tilt=1)
    s.run(0.14)
    assert s.steps == 140000
    assert s.summary["penetration.known.max"] < 1e-9
