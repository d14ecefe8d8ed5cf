"""Start the processes of a training run on this machine: python launch.py [NPROC]"""
import os
import socket
import subprocess
import sys


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def main():
    nproc = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    base = dict(os.environ, COORDINATOR=f"127.0.0.1:{free_port()}", NUM_PROCESSES=str(nproc), JAX_PLATFORMS="cpu")
    procs = [
        subprocess.Popen([sys.executable, "train.py"], env=dict(base, PROCESS_ID=str(i))) for i in range(nproc)
    ]
    sys.exit(max(abs(p.wait()) for p in procs))


if __name__ == "__main__":
    main()
