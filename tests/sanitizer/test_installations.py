"""Installations without the sanitizer: the linter works, and the sanitizer reports what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from places import ROOT

PROGRAM = "from mpi4py import MPI\nif MPI.COMM_WORLD.rank == 0:\n    MPI.COMM_WORLD.bcast(1)\n"
MISSING = (
    "the sanitizer is not installed (jaxmpi-lint was installed without its native core); "
    "reinstall jaxmpi-lint with a C++20 compiler and without JAXMPI_LINT_PURE"
)
WITHOUT_NATIVE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "jaxmpi_lint.runtime._native":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from jaxmpi_lint.runtime.commands import command
sys.exit(command.main(sys.argv[1:]))
"""

pytestmark = pytest.mark.jobs


def started(arguments: list[str], cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JAXMPI_")} | variables
    return subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=120)


# --- a wheel without native code -------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["JAXMPI_LINT_PURE=1", "VIRTUAL_ENV=/cache/repo0a1b2c/py_env-python3.12"])
def pure(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel as it is built with a variable, the second as pre-commit sets it."""
    pytest.importorskip("scikit_build_core")
    folder = tmp_path_factory.mktemp("wheel")
    name, _, value = request.param.partition("=")
    backend = "import sys; from scikit_build_core import build; print(build.get_requires_for_build_wheel()); "
    done = started(
        [sys.executable, "-c", f"{backend}build.build_wheel(sys.argv[1])", str(folder)], ROOT, **{name: value}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "[]"
    (wheel,) = folder.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [file for file in archive.namelist() if file.endswith(".so")]
        archive.extractall(folder / "installed")
    return folder / "installed"


def with_wheel(pure: Path, statements: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run statements with the wheel in the place of the package that is being tested."""
    paths = os.pathsep.join([str(pure), sysconfig.get_path("purelib")])
    program = f"import site; site.addsitedir({str(pure)!r})\n{statements}"
    return started([sys.executable, "-S", "-c", program], cwd, PYTHONPATH=paths, **variables)


def test_a_pure_wheel_lints(pure: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PROGRAM)
    lint = "from jaxmpi_lint import cli; raise SystemExit(cli.main(['--output-format', 'concise', 'a.py']))"
    done = with_wheel(pure, lint, tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("a.py:3:5: JM101 ")


def test_a_pure_wheel_reports_that_the_sanitizer_is_not_installed(pure: Path, tmp_path: Path) -> None:
    from jaxmpi_lint.runtime import _native  # here: the other tests need no native core

    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").touch()
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    (tmp_path / "mpi4py" / f"MPI{suffix}").symlink_to(_native.__file__)  # some extension module
    statements = (
        "import sys; sys.path.insert(0, '')\ntry:\n    import mpi4py.MPI\nexcept ImportError:\n    print('ran')"
    )
    done = with_wheel(pure, statements, tmp_path, JAXMPI_SANITIZE="1")
    assert (done.returncode, done.stdout) == (0, "ran\n")
    assert done.stderr == f"jaxmpi-sanitize: NOT CHECKING: {MISSING}\n"


@pytest.mark.parametrize(
    ("variables", "compiled"),
    [
        ({"VIRTUAL_ENV": "/home/user/environment"}, True),
        ({"VIRTUAL_ENV": "/home/user/.cache/pre-commit/repo1/py_env-python3.12"}, False),
        ({"VIRTUAL_ENV": "/home/user/environment", "JAXMPI_LINT_PURE": "1"}, False),
    ],
)
def test_what_compiles_the_native_code(variables: dict[str, str], compiled: bool) -> None:
    pytest.importorskip("scikit_build_core")
    ask = (
        "from pathlib import Path\nfrom scikit_build_core.settings.skbuild_read_settings import SettingsReader\n"
        "print(SettingsReader.from_file(Path('pyproject.toml')).settings.wheel.cmake)"
    )
    done = started([sys.executable, "-c", ask], ROOT, **variables)
    assert done.stdout == f"{compiled}\n", done.stderr


def test_what_cmake_needs_is_required_before_the_build() -> None:
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert any(name.startswith("nanobind") for name in required)  # CMake does not find dynamic requirements


# --- without the native module ---------------------------------------------------------------------------------------


def test_doctor_reports_that_the_native_module_is_missing(tmp_path: Path) -> None:
    done = started([sys.executable, "-c", WITHOUT_NATIVE, "doctor"], tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"!! native core:   {MISSING}\n" in done.stdout


# --- an interpreter of another environment ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that does not have the package."""
    folder = tmp_path_factory.mktemp("foreign")
    venv.create(folder, with_pip=False)
    return folder / "bin" / "python"


def run(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return started([sys.executable, "-m", "jaxmpi_lint.runtime.commands.command", "run", *arguments], cwd, **variables)


def test_run_reports_that_an_interpreter_does_not_have_the_sanitizer(foreign: Path, tmp_path: Path) -> None:
    reason = f"jaxmpi-lint is not installed for {foreign}; install it there, with its sanitizer"
    line = f"jaxmpi-sanitize: NOT CHECKING: {reason}\n"
    done = run(str(foreign), "-c", "print('ran')", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran\n", line)
    script = tmp_path / "script"
    script.write_text(f"#!{foreign}\nprint('ran')\n")
    script.chmod(0o755)
    done = run(str(script), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran\n", line)
    assert run(str(foreign), "-c", "", cwd=tmp_path, JAXMPI_SANITIZE="0").stderr == ""


def test_run_does_not_ask_its_own_interpreter(tmp_path: Path) -> None:
    done = run(sys.executable, "-c", "print('ran')", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran\n", "")
