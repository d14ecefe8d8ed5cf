"""What each process of a launched job says about its host; also on a host without this package.

``TEXT`` is a program for ``python -c``. It writes one line with a mark and a JSON object.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields

MARK = "jaxmpi-sanitize doctor: "
TEXT = f"""
import importlib.util, json, os, socket, sys
said = {{"host": socket.gethostname(), "switch": os.environ.get("JAXMPI_SANITIZE", "")}}
try:
    import jaxmpi_lint
    from jaxmpi_lint.runtime.commands import host_probe
    said.update(host_probe.examined(), version=jaxmpi_lint.__version__)
except Exception as reason:
    said["problem"] = type(reason).__name__ + ": " + str(reason)
sys.stdout.write("\\n{MARK}" + json.dumps(said) + "\\n")
sys.stdout.flush()
"""


@dataclass(frozen=True, slots=True)
class Said:
    """What one process has said; texts are empty if it does not know."""

    host: str
    switch: str = ""  # the value of JAXMPI_SANITIZE
    problem: str = ""  # why the package cannot be used
    version: str = ""
    options: str = ""
    mistake: str = ""  # in the options
    sockets: str = ""  # why monitors cannot be connected
    addresses: tuple[str, ...] = field(default=())
    lacks_switch: bool = False  # the interpreter does not read JAXMPI_SANITIZE
    mpi4py: bool = False


def examined() -> dict[str, object]:
    """What is known only with this package."""
    import importlib.util
    import os

    from jaxmpi_lint.runtime.commands import installation
    from jaxmpi_lint.runtime.commands.answers import State
    from jaxmpi_lint.runtime.hosts import sockets
    from jaxmpi_lint.runtime.settings import options

    interface, mistake, strict = "", "", os.environ.get(options.SWITCH) == "strict"
    try:
        text = options.canonical({options.SWITCH: "1", options.OPTIONS: os.environ.get(options.OPTIONS, "")})
        interface = str(options.read_canonical(text)["interface"])
    except options.OptionError as reason:
        mistake = str(reason)
    core = installation.core()
    return {
        "problem": core.text if core.state is State.BAD else "",
        "options": (os.environ.get(options.OPTIONS) or "the defaults") + (", strict" if strict else ""),
        "mistake": mistake,
        "sockets": sockets.problem(),
        "addresses": list(sockets.addresses(interface)),
        "lacks_switch": installation.switch().state is State.BAD,
        "mpi4py": importlib.util.find_spec("mpi4py") is not None,
    }


def read(output: str) -> Iterator[Said]:
    """What the processes of a job have said; launchers may put words before a line."""
    known = {one.name for one in fields(Said)}
    for line in output.splitlines():
        _, mark, text = line.partition(MARK)
        if mark:
            try:
                found = json.loads(text)
            except ValueError:
                continue
            found["addresses"] = tuple(found.get("addresses", ()))
            yield Said(**{name: value for name, value in found.items() if name in known})
