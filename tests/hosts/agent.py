"""Stands for ssh between hosts of `hosts.py`: ``agent.py [options] HOST COMMAND...`` runs the command on that host.

The namespaces of another host cannot be entered from within one, so a server outside of all of them (`serve`) starts
the command, with the standard streams of this process.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

SOCKET = "SANITIZER_TEST_HOSTS"  # the path of the server's socket
_LARGEST = 1 << 20
_STREAMS = (0, 1, 2)


def ask(path: str, host: str, command: Sequence[str]) -> int:
    """Run a command on a host, in this process's folder and with its streams; its exit status."""
    request = json.dumps({"host": host, "command": " ".join(command), "folder": os.getcwd()}).encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(path)
        socket.send_fds(connection, [request], _STREAMS)
        answer = connection.recv(64)
    return int(answer) if answer else 255


def serve(listening: socket.socket, entering: Mapping[str, Sequence[str]]) -> None:
    """Answer requests until the socket is closed; ``entering`` has the command that enters each host, by its names."""
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=_run, args=(connection, entering), daemon=True).start()


def _run(connection: socket.socket, entering: Mapping[str, Sequence[str]]) -> None:
    with connection:
        request, streams, _, _ = socket.recv_fds(connection, _LARGEST, len(_STREAMS))
        wish = json.loads(request)
        enter = [*entering[wish["host"]], "sh", "-c", f'cd "$0" && {wish["command"]}', wish["folder"]]
        stdin, stdout, stderr = streams
        process = subprocess.Popen(enter, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True)
        for stream in streams:
            os.close(stream)
        status = process.wait()
        with suppress(BrokenPipeError):  # the launcher has gone
            connection.send(str(status).encode())


def main(arguments: list[str]) -> int:
    """Skip the options of ssh, all of which are single words here, and run the rest."""
    while arguments and arguments[0].startswith("-"):
        arguments = arguments[1:]
    if len(arguments) < 2 or SOCKET not in os.environ:
        print(f"usage: {SOCKET}=PATH {Path(__file__).name} [options] HOST COMMAND...", file=sys.stderr)
        return 255
    return ask(os.environ[SOCKET], arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
