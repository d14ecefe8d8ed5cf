"""The launcher, the platform and the interpreter of this process; few imports, because every process pays for them."""

from __future__ import annotations

import os
import sys

RANK_VARIABLES = (
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "PALS_RANKID", "MV2_COMM_WORLD_RANK",
    "JSM_NAMESPACE_RANK",
)  # fmt: skip
MPI_LIBRARIES = (  # prefixes of the names of MPI libraries
    "libmpi.so", "libmpi_abi.so", "libmpich.so", "libpmpi.so", "libmpi_cray", "libmpi_gnu", "libmpi_intel",
    "libmpi_nvidia", "libmpi_amd", "libmpi_ibm",
)  # fmt: skip
PREFIX = "jaxmpi-sanitize: "


def launched_rank() -> int | None:
    """The rank that the launcher gave to this process, None without a launcher."""
    text = next((os.environ[name] for name in RANK_VARIABLES if name in os.environ), "")
    return int(text) if text.isdigit() else None


def say(text: str) -> None:
    """Print one line on standard error, on the first rank only if the launcher sets ranks."""
    if launched_rank() in (None, 0):
        say_in_each_process(text)


def say_in_each_process(text: str) -> None:
    """Print one line on standard error."""
    os.write(2, f"{PREFIX}{text}\n".encode())


def without_core(reason: ImportError) -> str:
    """Why the native core is missing."""
    import platform

    system = f"{platform.system()} on {platform.machine()}"
    if system not in ("Linux on x86_64", "Linux on aarch64"):
        return f"the sanitizer runs on Linux on x86_64 and aarch64; this is {system}"
    if "cannot import name" in str(reason) or isinstance(reason, ModuleNotFoundError):
        return (
            "the sanitizer is not installed (jaxmpi-lint was installed without its native core); "
            "reinstall jaxmpi-lint with a C++20 compiler and without JAXMPI_LINT_PURE"
        )
    return f"the native core cannot be loaded: {reason}"


def monitor_command() -> list[str]:
    """The command of the monitor; empty if the path of the interpreter is unknown."""
    return [sys.executable, "-P", "-m", "jaxmpi_lint.runtime.monitor"] if sys.executable else []
