"""Words at the terminal: what ends the options, what the shell completes; and wrong ones, which get one
clear sentence and exit code 2."""
import os
import subprocess

from terminal import FOLDER, PROGRAM, check, expect, finish, percuss, summary

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

# behind "--" there are no options
dashed = os.path.join(FOLDER, "-x.yaml")
with open(dashed, "w") as file:
    file.write("percuss: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {dt: 0.1, until: 1}\n")
with open(os.path.join(FOLDER, "--help"), "w") as file:
    file.write("percuss: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {dt: 0.1, until: 1}\n")
for words, fragment in (
    (["run", "--", "-x.yaml"], "\ndone: "),
    (["run", "--dt", "0.2", "--", "-x.yaml"], "steps of 200 ms"),
    (["run", "--", "--help"], "\ndone: "),
    (["check", "--", "-x.yaml"], "degrees of freedom"),
    (["list", "--", "schemes"], "moreau-jean"),
    (["list", "elements", "--", "revolute"], "required"),
    (["help", "--", "run"], "usage: percuss run"),
):
    done = subprocess.run([PROGRAM, *words], cwd=FOLDER, capture_output=True, text=True)
    check(done.returncode == 0 and fragment in done.stdout, f"{words}: {done.stderr}")
expect(["run", "slider-crank", "--", "--dt"], 2, "one word too many: '--dt'")
# a dash alone is a word, a flag takes none of those behind it
expect(["run", "-"], 3, "there is no file and no model '-'")
code, out, err = percuss("run", "--coupled", "rocking-block", "--scheme", "direct-projection", "--until", 0.1)
check(code == 0 and "\ndone: " in out, f"a flag before the model: {err}")
# descriptions of options end at 100 columns, headings that list schemes may not
for command in ("run", "sweep", "converge", "compare", "animate", "plot"):
    for line in percuss("help", command)[1].splitlines():
        check(len(line) <= 100 or not line.startswith("  "), f"help {command}: a line of {len(line)} columns: {line}")
# numbers that are none, with a sign too; files that include each other
for word in ("inf", "-inf", "+.Inf", "-.nan", "Infinity"):
    with open(os.path.join(FOLDER, "odd.yaml"), "w") as file:
        file.write(f"percuss: 1\nparameters: {{a: {word}}}\nbodies: {{a: {{mass: 1, inertia: 1}}}}\n")
    expect(["check", os.path.join(FOLDER, "odd.yaml")], 3, f"expected a finite number, found '{word}'")
for depth in range(10):
    with open(os.path.join(FOLDER, f"deep{depth}.yaml"), "w") as file:
        file.write("percuss: 1\n" + (f"include: deep{depth + 1}.yaml\n" if depth < 9 else "")
                   + ("bodies: {a: {mass: 1, inertia: 1}}\n" if depth == 0 else f"parameters: {{p{depth}: 1}}\n"))
expect(["check", os.path.join(FOLDER, "deep0.yaml")], 3, "include each other 8 deep")
expect(["run", "slider-crank", "--", "--"], 2, "one word too many: '--'")
expect(["run", "--"], 2, "which model")


def complete(*words):
    quoted = " ".join(f"'{word}'" for word in words)
    script = (f"eval \"$('{PROGRAM}' help --completion)\"; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
              "_percuss; printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", script], cwd=FOLDER, capture_output=True, text=True)
    check(done.stderr == "", f"completion of {words}: {done.stderr}")
    return done.stdout.split()


for name in ("scene.yaml", "runs.yaml"):
    open(os.path.join(FOLDER, name), "w").close()
for words, wanted in (
    (["percuss", "list", "s"], ["schemes", "solvers"]),
    (["percuss", "help", "ru"], ["run"]),
    (["percuss", "reproduce", "s"], None),
    (["percuss", "run", "s"], ["scene.yaml"]),
    (["percuss", "run", "--", "-x"], ["-x.yaml"]),
    (["percuss", "run", "-x"], []),
    (["percuss", "run", "--scheme", "rat"], ["rattle"]),
    (["percuss", "run", "--", "--scheme", "ru"], ["runs.yaml"]),
):
    found = complete(*words)
    check("scene.yaml" not in found if wanted is None else found == wanted, f"{words}: {found}")

# coefficients given here replace those of the model; settings of the model alone are never idle
ALPHA = ["pendulum", "--scheme", "generalized-alpha"]
model = os.path.join(FOLDER, "alpha.yaml")
with open(model, "w") as file:
    file.write("percuss: 1\ncoordinates: {x: 1}\nkinetic: x'^2/2\npotential: 50*x^2\n"
               "simulate: {scheme: generalized-alpha, dt: 0.05, until: 1, hht: 0.3, baumgarte: '5,5'}\n")
final = [summary("run", model, *words)["final"]["x"] for words in
         ((), ("--hht", 0.3), ("--hht", 0), ("--newmark", "0.25,0.5"), ("--rho", 0.5))]
check(final[0] == final[1] and final[2] == final[3], f"the model's hht, and alpha = 0: {final}")
check(len(set(final)) == 3, f"the command's coefficients replace the model's: {final}")
summary("run", model, "--scheme", "moreau-jean")

for command in ("run", "check"):
    code, out, err = percuss(command, "slider-crnk")
    check(code == 3 and "no file and no model" in err and "did you mean 'slider-crank'" in err, f"a model that is not there: {err}")

code, out, err = percuss()
check(code == 2 and "usage" in out, "no words at all")
for words, fragments in (
    (["fly"], ["no command 'fly'"]),
    (["rum"], ["did you mean 'run'"]),
    (["run"], ["which model"]),
    (["run", "slider-crank", "extra"], ["one word too many", "extra"]),
    (["run", "slider-crank", "--thet", "1"], ["--thet", "did you mean '--theta'"]),
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
    (["run", *ALPHA, "--rho", "0.8", "--hht", "0.1"], ["--rho does nothing beside hht"]),
    (["run", *ALPHA, "--newmark", "0.25,0.5", "--rho", "0.8"], ["--rho does nothing beside newmark"]),
    (["run", *ALPHA, "--newmark", "0.25,0.5", "--hht", "0.1"], ["--hht and newmark", "one of them"]),
    (["run", *ALPHA, "--baumgarte", "5,5"], ["without constraints: baumgarte"]),
    (["run", *ALPHA, "--baumgarte", "5,5", "--constraints", "pvv"], ["without constraints: baumgarte"]),
    (["converge", *ALPHA, "--dt", "1e-3,5e-4", "--baumgarte", "5,5"], ["without constraints"]),
    (["compare", "pendulum", "--rho", "0.8", "--hht", "0.1"], ["--rho does nothing beside hht"]),
    (["run", "slider-crank", "--gamma", "0.5", "--forecast", "free"], ["--gamma does nothing"]),
    (["run", "slider-crank", "--stages", "3"], ["--stages does nothing in scheme 'moreau-jean'", "lobatto"]),
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

# The page of run: examples first, options in groups, every option once.
out, err = expect(["help", "run"], 0)
order = [out.index(title) for title in ("\nexamples:", "\ncommon:", "\noutput:", "\ncontact solver:", "\nfor ")]
check(order == sorted(order), "examples, then groups")
for name in ("scheme", "dt", "out", "full", "solver", "tol", "theta", "rho", "stages"):
    check(out.count(f"--{name} ") + out.count(f"--{name}\n") >= 1, f"--{name} has a line")

finish()
