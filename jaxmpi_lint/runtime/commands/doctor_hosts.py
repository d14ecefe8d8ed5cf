"""`jaxmpi-sanitize doctor --hosts [LAUNCHER ARGUMENTS...]`: whether the hosts of a job can be checked together.

The launcher starts two small jobs: one whose processes tell what their hosts have, also where the sanitizer is not
installed, and one of MPI with the sanitizer, whose first line states what is checked.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from jaxmpi_lint.runtime.commands import host_probe
from jaxmpi_lint.runtime.commands.answers import Answer, State
from jaxmpi_lint.runtime.commands.host_probe import Said
from jaxmpi_lint.runtime.settings import options

USAGE = """\
usage: jaxmpi-sanitize doctor --hosts [LAUNCHER ARGUMENTS...]
  for example: jaxmpi-sanitize doctor --hosts mpirun -x JAXMPI_SANITIZE --host node1:2,node2:2 -n 4"""
SECONDS = 120
JOB = "from mpi4py import MPI; MPI.COMM_WORLD.Barrier()"
_PROMPT = "jaxmpi-sanitize: "
_APART = "agreement with the "
_NAMED = 4  # hosts named in a line


def examine(launcher: Sequence[str]) -> Iterator[Answer]:
    """All checks, each after those that it depends on."""
    command = list(launcher) or default_launcher()
    if not command:
        yield Answer(State.BAD, "launcher", f"give the launcher and its arguments\n{USAGE}")
        return
    shown = " ".join(command)
    output, problem = started(command, host_probe.TEXT)
    said = list(host_probe.read(output))
    if problem or not said:
        yield Answer(State.BAD, "launcher", f"{shown}: {problem or 'no process has responded'}")
        return
    hosts = by_host(said, lambda one: one.host)
    of = f"{len(said)} process{'es' if len(said) != 1 else ''} on {len(hosts)} host{'s' if len(hosts) != 1 else ''}"
    yield Answer(State.GOOD, "launcher", f"{shown}: {of} ({names(hosts)})")
    if len(hosts) == 1:
        yield Answer(State.ABSENT, "hosts", "all processes are on one host: nothing is to be compared between hosts")
    answers = [*of_each_host(said)]
    yield from answers
    if any(one.state is State.BAD for one in answers):
        yield Answer(State.ABSENT, "together", "not tried because of the problems above")
    elif not all(one.mpi4py for one in said):
        yield Answer(State.ABSENT, "together", "not tried: mpi4py is not installed on every host")
    else:
        yield together(command, len(said), len(hosts))


def default_launcher() -> list[str]:
    """The command that starts one process on each host of this allocation; empty if it is not known."""
    if "SLURM_JOB_ID" in os.environ and shutil.which("srun"):
        return ["srun", "--ntasks-per-node=1"]
    program = shutil.which("mpirun")
    if program is None:
        return []
    version = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=20, stdin=subprocess.DEVNULL
    ).stdout
    if "Open MPI" not in version:
        return []
    forwarded = [word for name in (options.SWITCH, options.OPTIONS) for word in ("-x", name)]
    return ["mpirun", *forwarded, "--map-by", "ppr:1:node"]


def started(command: Sequence[str], program: str, **variables: str) -> tuple[str, str]:
    """The output of such a job, and why it failed; "" if it did not."""
    environment = {options.SWITCH: "1", options.OPTIONS: "", **os.environ, **variables}
    try:
        done = subprocess.run(
            [*command, sys.executable, "-c", program],
            env=environment, capture_output=True, text=True, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"the job did not end within {SECONDS} s"
    except OSError as reason:
        return "", str(reason)
    output = f"{done.stdout}\n{done.stderr}"
    lines = [line for line in done.stderr.splitlines() if line.strip(" -") and not line.startswith("Warning")]
    return output, f"exit code {done.returncode}: {lines[0] if lines else ''}" if done.returncode else ""


def of_each_host(said: Sequence[Said]) -> Iterator[Answer]:
    """What each host must have, and what must be equal on all of them."""
    if broken := [one for one in said if one.problem]:
        yield from refused("jaxmpi-lint", broken, lambda one: one.problem)
    good = [one for one in said if not one.problem]
    yield from equal("jaxmpi-lint", good, lambda one: one.version)
    lacking = [one for one in said if one.switch in ("", "0")]
    if lacking:
        yield Answer(
            State.BAD, "switch", f"{options.SWITCH} does not reach {names(by_host(lacking, lambda one: one.host))}: "
            f"mpirun -x {options.SWITCH} -x {options.OPTIONS} (Open MPI), srun --export=ALL"
        )  # fmt: skip
    elif unread := [one for one in good if one.lacks_switch]:
        yield from refused("switch", unread, lambda _: "Python does not read it at its start; reinstall jaxmpi-lint")
    else:
        yield Answer(State.GOOD, "switch", f"{options.SWITCH} reaches every host")
    if mistaken := [one for one in good if one.mistake]:
        yield from refused("options", mistaken, lambda one: one.mistake)
    else:
        yield from equal("options", good, lambda one: one.options)
    if closed := [one for one in good if one.sockets]:
        yield from refused("sockets", closed, lambda one: one.sockets)
    elif unreached := [one for one in good if not one.addresses]:
        yield from refused("sockets", unreached, lambda _: "no address (option `interface`)")
    elif good:
        yield Answer(State.GOOD, "sockets", "pyzmq with CURVE on every host")


def equal(subject: str, said: Sequence[Said], value: Callable[[Said], str]) -> Iterator[Answer]:
    """Whether all hosts have the same."""
    groups = by_host(said, value)
    if len(groups) > 1:
        found = (f"{key} on {names(by_host(ones, lambda one: one.host))}" for key, ones in groups.items())
        yield Answer(State.BAD, subject, f"not the same on every host: {', '.join(found)}")
    elif groups:
        yield Answer(State.GOOD, subject, f"{next(iter(groups))} on every host")


def refused(subject: str, said: Sequence[Said], reason: Callable[[Said], str]) -> Iterator[Answer]:
    """A line for each reason."""
    for text, ones in by_host(said, reason).items():
        yield Answer(State.BAD, subject, f"{names(by_host(ones, lambda one: one.host))}: {text}")


def together(command: Sequence[str], processes: int, hosts: int) -> Answer:
    """Whether the sanitizer checks a job as one: a place to meet, ranks that attach, sockets that connect."""
    switch = os.environ.get(options.SWITCH, "")
    output, problem = started(command, JOB, **{options.SWITCH: switch if switch not in ("", "0") else "1"})
    lines = [line.partition(_PROMPT)[2] for line in output.splitlines() if _PROMPT in line]
    refusals = [line for line in lines if line.startswith("NOT CHECKING") or _APART in line]
    if problem or refusals:
        return Answer(State.BAD, "together", problem or why(refusals[0]))
    if not any(line.startswith(f"checking {processes} rank") for line in lines):
        return Answer(State.BAD, "together", lines[0] if lines else "the sanitizer has said nothing")
    as_one = f"as one on {hosts} hosts" if hosts > 1 else "on one host"
    return Answer(State.GOOD, "together", f"a job of {processes} ranks was checked {as_one}")


def why(line: str) -> str:
    """The reason in the first line of a job whose hosts are not compared."""
    _, found, rest = line.partition(_APART)
    return f"the hosts are not compared: {rest.partition('(')[2].partition('), ')[0]}" if found else line


def by_host(said: Sequence[Said], value: Callable[[Said], Hashable]) -> Mapping[Hashable, list[Said]]:
    """Processes by a value, in the order in which they come."""
    found: dict[Hashable, list[Said]] = defaultdict(list)
    for one in said:
        found[value(one)].append(one)
    return found


def names(hosts: Mapping[Hashable, object]) -> str:
    """The names of hosts; of many, the first ones."""
    found = sorted(map(str, hosts))
    return ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")
