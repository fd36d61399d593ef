"""The chain that winds round a post, to the end of its run: a step whose contacts are solved to the acceptance limit alone does not
open joints. Takes half a minute."""
from terminal import check, finish, get, summary

s = summary("run", "capsule-chain")
check(get(s, "status") == "done" and get(s, "time") == 3, f"{get(s, 'status')}, t = {get(s, 'time')}")
check(get(s, "constraint.position.max") < 1e-10, f"joints open by {get(s, 'constraint.position.max')} m")
check(get(s, "penetration.known.max") < 1e-8, f"penetration of contacts that steps knew {get(s, 'penetration.known.max')} m")
# Where a link comes to touch with another feature within a step, that is known from the next step on.
check(get(s, "penetration.max") < 2e-4, f"penetration {get(s, 'penetration.max')} m")
left = get(s, "inaccuracy.max") if get(s, "steps_inaccurate") else 1e-9
check(0 < left < 1e-6, f"{get(s, 'steps_inaccurate')} steps are inaccurate, by {left}")
s = summary("run", "capsule-chain", "--until", 0.5)
gain = get(s, "energy.final") - get(s, "energy.initial")
check(abs(gain) < 1e-4, f"energy of free flight changes by {gain} J")
finish()
