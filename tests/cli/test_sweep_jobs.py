#!/usr/bin/env python3
"""Sweeps in shares: the script for Slurm as docs/sweep.md has it, on a cluster of this one machine that is started for the test; and
GNU parallel. Exit code 77 where neither can be had."""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PERCUSS = pathlib.Path(sys.argv[1]).resolve()
PAGE = pathlib.Path("docs/sweep.md").read_text()
SCRIPT = re.search(r"```\n(#!/bin/sh\n#SBATCH.*?)```", PAGE, re.S).group(1)
WORDS = re.search(r"percuss (sweep .*?) --shard", SCRIPT.replace("\\\n", " "), re.S).group(1)
ENVIRONMENT = {**os.environ, "PATH": f"{PERCUSS.parent}:{os.environ['PATH']}"}

CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}
SlurmctldPort={port}
SlurmdPort={next_port}
AuthInfo=socket={folder}/munge.socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
ReturnToService=2
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmdSpoolDir={folder}/spool
StateSaveLocation={folder}/state
SlurmUser=root
SlurmdUser=root
SwitchType=switch/none
TaskPlugin=task/none
SelectType=select/cons_tres
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    """munge, slurmctld and slurmd in a folder of their own, without systemd."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**ENVIRONMENT, "SLURM_CONF": str(folder / "slurm.conf")}
        for name in ("spool", "state"):
            (folder / name).mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname(), port=free_port(), next_port=free_port(), folder=folder))
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.running = [self.start("munged", "--foreground", "--force", f"--key-file={key}",
                                   f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
                                   f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")]
        time.sleep(0.5)
        self.running += [self.start("slurmctld", "-D"), self.start("slurmd", "-D")]

    def start(self, *words):
        return subprocess.Popen(words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60)

    def is_ready(self):
        for _ in range(100):
            done = self.ask("sinfo", "-h", "-o", "%T")
            if done.stdout.strip() == "idle":
                return True
            if any(process.poll() is not None for process in self.running):
                return False
            time.sleep(0.2)
        return False

    def stop(self):
        for process in reversed(self.running):
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


def percuss(folder, words):
    done = subprocess.run(f"percuss {words}", shell=True, env=ENVIRONMENT, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    return done


def check(folder):
    """The shares together are the table of one process."""
    percuss(folder, "sweep --merge share-*.h5 -o merged.csv")
    percuss(folder, f"{WORDS} --quiet -o whole.csv")
    assert (folder / "merged.csv").read_bytes() == (folder / "whole.csv").read_bytes(), "other rows"


def try_slurm(folder):
    if os.geteuid() != 0 or not all(map(shutil.which, ("munged", "slurmctld", "slurmd", "sbatch"))):
        return False
    cluster = Cluster(folder)
    try:
        if not cluster.is_ready():
            print("slurm does not start here")
            return False
        (folder / "script.sh").write_text(SCRIPT)
        done = cluster.ask("sbatch", "--wait", "script.sh")
        output = "".join(p.read_text() for p in folder.glob("slurm-*.out"))
        assert done.returncode == 0, done.stdout + output
    finally:
        cluster.stop()
    check(folder)
    print("slurm: the shares of 4 jobs are the whole table")
    return True


def try_parallel(folder):
    if not shutil.which("parallel"):
        return False
    text = f"percuss {WORDS} --shard {{}}/3 --threads 1 --quiet -o share-{{}}.h5"
    subprocess.run(["parallel", "--will-cite", "-j", "2", text, ":::", "1", "2", "3"], env=ENVIRONMENT, cwd=folder,
                   stdout=subprocess.DEVNULL, check=True)
    check(folder)
    print("parallel: the shares of 3 jobs are the whole table")
    return True


tried = []
for way in (try_slurm, try_parallel):
    with tempfile.TemporaryDirectory(prefix="percuss-") as place:
        tried.append(way(pathlib.Path(place)))
sys.exit(0 if any(tried) else 77)
