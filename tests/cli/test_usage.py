"""Wrong words at the terminal: one clear sentence, exit code 2."""
from terminal import check, expect, finish, percuss

code, out, _ = percuss("--version")
check(code == 0 and out.startswith("percuss 0."), "--version")
for words in (["help"], ["--help"], ["help", "run"], ["run", "--help"], ["help", "list"], ["list", "--help"]):
    code, out, err = percuss(*words)
    check(code == 0 and len(out) > 50 and err == "", f"{words}")
for what in ("schemes", "solvers", "models", "elements"):
    code, out, err = percuss("list", what)
    check(code == 0 and out.count("\n") >= 2 and err == "", f"list {what}")
code, out, _ = percuss("list", "elements", "revolute")
check("bodies" in out and "required" in out, "keys of an element")

code, out, err = percuss()
check(code == 2 and "usage" in out, "no words at all")
for words, fragments in (
    (["fly"], ["no command 'fly'"]),
    (["rum"], ["did you mean 'run'"]),
    (["run"], ["which model"]),
    (["run", "slider-crank", "extra"], ["one word too many", "extra"]),
    (["run", "slider-crank", "--thet", "1"], ["--thet", "did you mean 'theta'"]),
    (["run", "slider-crank", "-x"], ["-x"]),
    (["run", "slider-crank", "--dt"], ["needs a value"]),
    (["run", "slider-crank", "--dt", "0"], ["dt", "positive"]),
    (["run", "slider-crank", "--dt", "nan"], ["dt", "positive"]),
    (["run", "slider-crank", "--dt", "1e-30"], ["dt"]),
    (["run", "slider-crank", "--dt", "abc"], ["abc"]),
    (["run", "slider-crank", "--until", "-1"], ["--until"]),
    (["run", "slider-crank", "--theta", "0.3"], ["0.5 to 1"]),
    (["run", "slider-crank", "--scheme", "euler"], ["no scheme 'euler'", "list schemes"]),
    (["run", "slider-crank", "--scheme", "moreau-jan"], ["did you mean 'moreau-jean'"]),
    (["run", "slider-crank", "--scheme", "moreau", "--theta", "1"], ["--theta", "moreau-jean"]),
    (["run", "slider-crank", "--solver", "gauss"], ["lemke"]),
    (["run", "slider-crank", "--set", "nosuch=1"], ["nosuch"]),
    (["run", "slider-crank", "--set", "mu"], ["NAME=VALUE"]),
    (["run", "slider-crank", "--set", "mu=abc"], ["abc"]),
    (["run", "slider-crank", "--set", "mu=1/0"], ["mu"]),
    (["run", "slider-crank", "--every", "0"], ["--every"]),
    (["run", "slider-crank", "--threads", "0"], ["--threads"]),
    (["run", "slider-crank", "--json=yes"], ["takes no value"]),
    (["list"], ["list what"]),
    (["list", "elemnts"], ["did you mean 'elements'"]),
    (["list", "elements", "revolut"], ["did you mean 'revolute'"]),
    (["list", "schemes", "moreau"], ["takes no name"]),
    (["help", "fly"], ["no command 'fly'"]),
):
    out, _ = expect(words, 2, *fragments)
    check(out == "", f"{words}: nothing on standard output")

finish()
