"""The native tests, as they are and under the compiler's sanitizers."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from .building import FLAVOURS, build, checked, jobs, tool

SECONDS = 60  # for one test program


def fixed_addresses() -> list[str]:
    """What to run a command by so that memory lies where the thread sanitizer of older compilers expects it."""
    prefix = ["setarch", "-R"]
    if shutil.which(prefix[0]) is None:
        return []
    works = subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    return prefix if works else []


@pytest.mark.parametrize(
    "flavour", [pytest.param(name, marks=pytest.mark.soak if name == "plain" else ()) for name in FLAVOURS]
)
def test_native(flavour: str) -> None:
    folder = build(flavour, "native_tests")
    ctest = [tool("ctest") or "ctest", "--test-dir", str(folder), "--output-on-failure", "--no-tests=error"]
    ctest += ["--parallel", jobs(), "--timeout", str(SECONDS)]
    checked([*(fixed_addresses() if flavour == "thread" else []), *ctest])
