"""Starts a program as several JAX processes on this machine and stops all of them when one fails or time is up.

    python examples/launch.py PROCESSES PROGRAM [SECONDS]

Each process reads the coordinator's address, the number of processes and its own number from its environment, as
provided by a batch system. The exit code is the first one that is not 0, or 124 when time was up.
"""

import os
import socket
import subprocess
import sys
import time


def free_port() -> int:
    """A free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait(processes: list[subprocess.Popen[bytes]], seconds: float) -> int:
    """Wait for all processes; the first failure or the deadline ends it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        codes = [process.poll() for process in processes]
        failed = [code for code in codes if code]
        if failed:
            return 128 - failed[0] if failed[0] < 0 else failed[0]
        if None not in codes:
            return 0
        time.sleep(0.05)
    print(f"launch.py: {seconds:g} s are over", file=sys.stderr)
    return 124


def main() -> int:
    """Start, wait, clean up."""
    if len(sys.argv) not in (3, 4) or not sys.argv[1].isdigit():
        print("usage: python launch.py PROCESSES PROGRAM [SECONDS]", file=sys.stderr)
        return 2
    count, program = int(sys.argv[1]), sys.argv[2]
    seconds = float(sys.argv[3]) if len(sys.argv) == 4 else 120.0
    common = {**os.environ, "JAX_COORDINATOR_ADDRESS": f"127.0.0.1:{free_port()}", "JAX_NUM_PROCESSES": str(count)}
    processes = [
        subprocess.Popen([sys.executable, program], env={**common, "JAX_PROCESS_ID": str(number)})
        for number in range(count)
    ]
    try:
        return wait(processes, seconds)
    finally:
        for process in processes:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
