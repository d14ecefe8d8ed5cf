"""Hosts made from namespaces on one machine: each has its own network, name, processes, /dev/shm and, if asked, /tmp.

    python tests/hosts/hosts.py 2 -- mpirun --host host1:2,host2:2 -n 4 python program.py

runs a command on the first of them. It needs the rights of root, and `ip` of iproute2.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

if __package__:
    from . import agent
else:  # as a command
    import agent  # type: ignore[import-not-found, no-redef]

ROOT = Path(__file__).resolve().parent.parent.parent
NETWORK = "10.77.0"
OTHER_NETWORK = "10.78.0"  # a second one, if asked
KINDS = ("--mount", "--uts", "--ipc", "--net", "--pid")
SECONDS = 10.0
_SELECTING = (
    "OMPI_MCA_btl_tcp_if_include", "PMIX_MCA_ptl_tcp_if_include", "PRTE_MCA_prte_if_include", "FI_TCP_IFACE",
    "FI_SOCKETS_IFACE", "HYDRA_IFACE", "UCX_NET_DEVICES",
)  # fmt: skip
ONLY_ETH0 = dict.fromkeys(_SELECTING, "eth0")
"""What keeps MPI libraries and launchers away from a second network."""
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Host:
    """One host: its name and the process that keeps its namespaces."""

    number: int
    process: int
    links: tuple[str, ...] = ()  # the outer ends of its devices: eth0, and eth1 if there is a second network

    @property
    def name(self) -> str:
        return f"host{self.number}"

    @property
    def address(self) -> str:
        return f"{NETWORK}.{self.number}"

    @property
    def entering(self) -> list[str]:
        """The command that enters it."""
        return ["nsenter", "--target", str(self.process), *KINDS]


def missing() -> str:
    """Why no hosts can be made here; "" if they can."""
    for tool in ("ip", "unshare", "nsenter"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed (iproute2, util-linux)"
    done = subprocess.run(["unshare", *KINDS, "--fork", "true"], capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


def pull(link: str) -> None:
    """Unplug a device of a host, as if its cable were pulled."""
    _ip("link", "set", link, "down")


def plug(link: str) -> None:
    """Plug it in again."""
    _ip("link", "set", link, "up")


@contextmanager
def network() -> Iterator[str]:
    """A bridge with a name of its own, which is removed afterwards."""
    name = f"jx{os.getpid() % 100_000}n{next(_NUMBERS)}"  # the devices of earlier hosts vanish only after a while
    _ip("link", "add", name, "type", "bridge")
    try:
        _ip("link", "set", name, "up")
        yield name
    finally:
        _ip("link", "delete", name)


@contextmanager
def host(number: int, bridges: Mapping[str, str], folder: Path, own_tmp: bool) -> Iterator[Host]:
    """A host on networks, whose bridges are named; the files in ``folder`` become its /etc/hosts and a shared /tmp."""
    mounts = ["mount -t tmpfs tmpfs /dev/shm", f"{_bind(folder / 'hosts')} /etc/hosts"]
    mounts += _tmp("mount -t tmpfs tmpfs" if own_tmp else _bind(folder / "tmp"), str(ROOT))
    begin = " && ".join([f"hostname host{number}", *mounts, "echo ready", "exec sleep infinity"])
    unshare = subprocess.Popen(
        ["unshare", *KINDS, "--fork", "--mount-proc", "--kill-child", "sh", "-c", begin],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        assert unshare.stdout is not None
        if unshare.stdout.readline() != "ready\n":
            raise OSError(f"host{number} cannot be made")
        process = _child(unshare.pid)
        links = tuple(f"{bridge}o{number}" for bridge in bridges.values())
        made = Host(number, process, links)
        for at, (prefix, bridge) in enumerate(bridges.items()):
            outer, inner, device = links[at], f"{bridge}i{number}", f"eth{at}"
            _ip("link", "add", outer, "type", "veth", "peer", "name", inner)
            _ip("link", "set", outer, "master", bridge, "up")
            _ip("link", "set", inner, "netns", str(process))
            address = f"addr add {prefix}.{number}/24 dev {device}"
            for words in (f"link set {inner} name {device}", address, "link set lo up", f"link set {device} up"):
                subprocess.run([*made.entering, "ip", *words.split()], check=True)
        yield made
    finally:
        unshare.kill()
        unshare.wait()


def _bind(path: Path) -> str:
    return f"mount --bind {shlex.quote(str(path))}"


def _tmp(mount: str, checkout: str) -> list[str]:
    """The commands that mount an empty /tmp, with this checkout, if it lies there.

    Not even hosts that share it have that of the machine: there Open MPI keeps what belongs to a job in a folder named
    by the host and the user, and two jobs at once on hosts of equal names would remove each other's.
    """
    if not checkout.startswith("/tmp/"):
        return [f"{mount} /tmp"]
    kept, path = "/dev/shm/checkout", shlex.quote(checkout)
    keep = [f"mkdir {kept}", f"{_bind(Path(checkout))} {kept}"]
    return [*keep, f"{mount} /tmp", f"mkdir -p {path}", f"mount --move {kept} {path}", f"rmdir {kept}"]


@contextmanager
def hosts(number: int, own_tmp: bool = False, networks: int = 1) -> Iterator[tuple[list[Host], Mapping[str, str]]]:
    """So many hosts, and the variables with which launchers on them reach the others."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="jaxmpi-hosts-", dir="/var/tmp")))
        (folder / "tmp").mkdir()
        known = Path("/etc/hosts").read_text(encoding="utf-8")
        names = known + "".join(f"{NETWORK}.{n} host{n}\n" for n in range(1, number + 1))
        (folder / "hosts").write_text(names, encoding="utf-8")
        bridges = {one: stack.enter_context(network()) for one in (NETWORK, OTHER_NETWORK)[:networks]}
        made = [stack.enter_context(host(one, bridges, folder, own_tmp)) for one in range(1, number + 1)]
        entering = {name: one.entering for one in made for name in (one.name, one.address)}
        listening = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        listening.bind(str(folder / "agent"))
        listening.listen()
        threading.Thread(target=agent.serve, args=(listening, entering), daemon=True).start()
        reaching = variables(str(folder / "agent"), _script(folder))
        yield made, reaching | (ONLY_ETH0 if networks > 1 else {})


def variables(path: str, script: str) -> dict[str, str]:
    """What makes Open MPI (4, 5) and Hydra start their processes on other hosts by the agent."""
    return {
        agent.SOCKET: path,
        "PRTE_MCA_plm_ssh_agent": script,
        "OMPI_MCA_plm_rsh_agent": script,
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": script,
    }


def run_on(first: Host, command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command on a host, in this process's folder; its exit status."""
    inside = ["sh", "-c", 'cd "$0" && exec "$@"', os.getcwd()]
    return subprocess.run([*first.entering, *inside, *command], env=environment, check=False).returncode


def _script(folder: Path) -> str:
    """The agent as a program without arguments of its own."""
    path = folder / "agent.sh"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(agent.__file__ or "")} "$@"\n')
    path.chmod(0o755)
    return str(path)


def _child(process: int) -> int:
    """The process that `unshare` has forked."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        if found:
            return int(found[0])
        time.sleep(0.01)
    raise OSError("unshare has no child")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def main() -> int:
    """Make hosts and run a command on the first of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("number", type=int)
    parser.add_argument("--own-tmp", action="store_true", help="each host has a /tmp of its own")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    if why := missing():
        print(f"no hosts can be made: {why}", file=sys.stderr)
        return 2
    with hosts(arguments.number, arguments.own_tmp) as (made, extra):
        return run_on(made[0], arguments.command, {**os.environ, **extra})


if __name__ == "__main__":
    sys.exit(main())
