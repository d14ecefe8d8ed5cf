"""Probes that `doctor` runs in separate processes, because they load MPI or JAX.

    python -m jaxmpi_lint.runtime.commands.probes mpi|jax

Each writes one JSON object. A hang or a crash in a probe does not affect `doctor`.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable

LAUNCHERS = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "PALS_", "HYDI_", "HYDRA_", "MPI_LOCAL", "SLURM_")
SECONDS = 60


def mpi() -> dict[str, object]:
    """The MPI library that mpi4py uses: version, file, groups of functions, support for device pointers."""
    from mpi4py import MPI

    version = MPI.Get_library_version().strip("\0\n ").splitlines()[0].split(", package")[0]
    answer: dict[str, object] = {
        "version": " ".join(version.split()),
        "standard": ".".join(map(str, MPI.Get_version())),
    }
    try:
        from jaxmpi_lint.runtime import _native
    except ImportError:
        return answer
    path = _native.mapped_library()
    answer["mapped"] = [path for _, path in _native.mapped_libraries()]
    answer["problem"] = _native.use_library(path)
    answer["abi"] = _native.abi()
    answer["groups"] = _native.groups()
    answer["gpu"] = gpu_aware(path)
    return answer


def gpu_aware(path: str) -> bool | None:
    """Whether the library reports support for device pointers; None if it cannot report it."""
    import ctypes

    library = ctypes.CDLL(path)
    for name in ("MPIX_Query_cuda_support", "MPIX_Query_rocm_support"):
        if hasattr(library, name) and getattr(library, name)():
            return True
    if hasattr(library, "MPIX_GPU_query_support"):
        flag = ctypes.c_int(0)
        kinds = range(3)  # CUDA, Level Zero, HIP
        return any(library.MPIX_GPU_query_support(kind, ctypes.byref(flag)) == 0 and flag.value != 0 for kind in kinds)
    return False if hasattr(library, "MPIX_Query_cuda_support") else None


def jax() -> dict[str, object]:
    """The version of JAX, the launchers that `jax.distributed.initialize()` recognises, and why launches are not
    recorded ("" if they are).
    """
    library = importlib.import_module("jax")
    kinds = importlib.import_module("jax._src.clusters").ClusterEnv._cluster_types
    try:
        from jaxmpi_lint.runtime.xla.capture.fitness import unseen
    except ImportError:  # that of the native core, which most of the sanitizer imports
        reason = "the native core is missing"
    else:
        reason = unseen()
    return {
        "version": library.__version__,
        "clusters": [kind.__name__ for kind in kinds if kind.is_env_present()],
        "unseen": reason,
    }


PROBES: dict[str, Callable[[], dict[str, object]]] = {"mpi": mpi, "jax": jax}


def ask(name: str) -> dict[str, object]:
    """The result of a probe; {"error": why} if there is none. It runs outside the job, as a process of one rank."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith((*LAUNCHERS, "JAXMPI_SANITIZE"))}
    if name == "jax":
        environment = {**os.environ, "JAXMPI_SANITIZE": "0", "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-P", "-m", "jaxmpi_lint.runtime.commands.probes", name]
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
        found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"error": f"no response within {SECONDS} s"}
    except (IndexError, ValueError):
        return {"error": (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]}
    return found


if __name__ == "__main__":
    print(json.dumps(PROBES[sys.argv[1]]()))
