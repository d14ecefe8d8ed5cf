"""The MPI libraries of the Linux distribution: those with bindings for Fortran, and h5py on top of one of them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from .environments import ROOT, Environment

TOOLS = ("mpirun", "mpicc", "mpifort")
PACKAGES = {"openmpi": "gfortran libopenmpi-dev openmpi-bin", "mpich": "gfortran libmpich-dev mpich"}
PYTHON = "/usr/bin/python3"
PARALLEL = """
import h5py, mpi4py.MPI
raise SystemExit(not h5py.get_config().mpi or mpi4py.MPI.COMM_WORLD.size != 2)  # of another library: size 1
"""
FORTRAN = "program probe\n  use mpi\nend program probe\n"
SECONDS = 600


def with_system_mpi(environment: Environment, folder: Path) -> Environment:
    """The environment with the distribution's build of its MPI library; skips without one.

    Debian installs both libraries side by side: ``mpirun.openmpi``, ``mpirun.mpich``. ``folder`` gets scripts without
    the suffix: a launcher that is started by a link looks for its other parts beside the link.
    """
    folder.mkdir(exist_ok=True)
    for name in TOOLS:
        found = shutil.which(f"{name}.{environment.library}")
        if found is None:
            pytest.skip(f"no {name}.{environment.library}: apt install {PACKAGES[environment.library]}")
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {found} "$@"\n')
        script.chmod(0o755)
    if not _compiles_fortran(environment.library, folder):  # the wrappers are there without what they need
        pytest.skip(f"mpifort.{environment.library} does not work: apt install {PACKAGES[environment.library]}")
    return replace(environment, tools=folder)


def _compiles_fortran(library: str, folder: Path) -> bool:
    if library not in _FORTRAN:
        source = folder / "probe.f90"
        source.write_text(FORTRAN)
        command = [str(folder / "mpifort"), str(source), "-o", str(folder / "probe")]
        done = subprocess.run(command, capture_output=True, check=False, timeout=60, cwd=folder)
        _FORTRAN[library] = done.returncode == 0
    return _FORTRAN[library]


_FORTRAN: dict[str, bool] = {}
"""What has been tried."""


def with_h5py(environment: Environment, folder: Path) -> Environment:
    """The distribution's Python, which has mpi4py and an h5py on MPI, with this package; skips without one."""
    system = with_system_mpi(environment, folder)
    has_h5py = subprocess.run(
        system.launch(2, PYTHON, "-c", PARALLEL), env=system.variables(), capture_output=True, check=False, timeout=60
    )
    if has_h5py.returncode:
        pytest.skip(f"{PYTHON} has no h5py on {system}: apt install python3-h5py-mpi python3-venv")
    prefix = folder.parent.parent / "h5py"  # made once in a run of the tests
    if (prefix / "bin" / "jaxmpi-sanitize").exists():
        return replace(system, prefix=prefix)
    for command in (
        [PYTHON, "-m", "venv", "--system-site-packages", str(prefix)],
        [str(prefix / "bin" / "pip"), "install", "--quiet", str(ROOT)],
    ):
        subprocess.run(command, check=True, timeout=SECONDS)
    return replace(system, prefix=prefix)
