"""Which importers of communicating code are parsed."""

from __future__ import annotations

import pytest

from jaxmpi_lint.sources.import_closure import MAX_USERS, Closure
from jaxmpi_lint.sources.import_scan import ModuleFinder

BRANCH = "if is_master():\n    share(1)\n"


def importers(files: dict[str, str], exported: dict[str, set[str]]) -> list[str]:
    contents = {f"/p/{name}": text.encode() for name, text in files.items()}
    closure = Closure(ModuleFinder("/p", (), contents))
    names = {f"/p/{name}": found for name, found in exported.items()}
    return [path.removeprefix("/p/") for path in closure.importers(names, names, contents)]


@pytest.mark.parametrize(
    "text",
    [
        f"from tools import share\n{BRANCH}",
        f"from tools import *\n{BRANCH}",
        "import tools\nif rank:\n    tools.share(1)\n",
        "import tools as t\nif rank:\n    t.share(1)\n",
        "def main(names):\n    from tools import share\n    for name in set(names):\n        share(name)\n",
        "from tools import share\nif os.path.isfile(name):\n    share(1)\n",
        "from tools import share\nif Path(name).exists():\n    share(1)\n",
        "from tools import share\nif os.access(name, os.W_OK):\n    share(1)\n",
    ],
)
def test_a_file_that_uses_a_communicating_name_where_processes_may_part(text: str) -> None:
    assert importers({"tools.py": "", "app.py": text}, {"tools.py": {"share"}}) == ["app.py"]


@pytest.mark.parametrize(
    "text",
    [
        f"from tools import other\n{BRANCH}",
        "import tools\nif rank:\n    tools.shared(1)\n",
        "from elsewhere import share\nif rank:\n    share(1)\n",
    ],
)
def test_other_files_are_left_out(text: str) -> None:
    assert importers({"tools.py": "", "app.py": text}, {"tools.py": {"share"}}) == []


@pytest.mark.parametrize(
    "text",
    [
        "from tools import share\nshare(1)\n",
        "from tools import share\ndef f():\n    share(1)\ndef g(rank):\n    return rank\n",
    ],
)
def test_without_a_source_of_divergence_a_file_is_read_in_small_projects(text: str) -> None:
    program = "from tools import share\nif __name__ == '__main__':\n    share(2)\n"
    large = text + "x = 1\n" * (MAX_USERS // 6)
    exported = {"tools.py": {"share"}}
    assert importers({"tools.py": "", "app.py": text, "run.py": program}, exported) == ["app.py", "run.py"]
    assert importers({"tools.py": "", "app.py": large, "run.py": program}, exported) == ["run.py"]
    assert (
        importers({"tools.py": "", "app.py": large, "run.py": program + "x = 1\n" * (MAX_USERS // 6)}, exported) == []
    )


def test_a_file_between_matters_though_processes_do_not_part_in_it() -> None:
    files = {
        "tools.py": "",
        "middle.py": "from tools import share\ndef both():\n    share(1)\n",
        "app.py": f"from middle import both\nfrom tools import share\n{BRANCH}    both()\n",
    }
    assert importers(files, {"tools.py": {"share"}}) == ["middle.py", "app.py"]


def test_a_package_passes_names_on() -> None:
    files = {
        "pkg/__init__.py": "from .tools import share\n",
        "pkg/tools.py": "",
        "app.py": f"from pkg import share\n{BRANCH}",
    }
    assert importers(files, {"pkg/tools.py": {"share"}}) == ["pkg/__init__.py", "app.py"]


def test_a_package_passes_all_names_on() -> None:
    files = {
        "pkg/__init__.py": "from .tools import *\n",
        "pkg/tools.py": "",
        "app.py": f"from pkg import *\n{BRANCH}",
        "other.py": "from pkg import *\n",
    }
    assert importers(files, {"pkg/tools.py": {"share"}}) == ["pkg/__init__.py", "app.py"]


def test_a_package_passes_all_names_on_that_another_one_passes_on() -> None:
    contents = {
        "/p/pkg/__init__.py": b"from .sub import *\n",
        "/p/pkg/sub/__init__.py": b"from .tools import *\n",
        "/p/pkg/sub/tools.py": b"",
        "/p/app.py": f"from pkg import share\n{BRANCH}".encode(),
    }
    closure = Closure(ModuleFinder("/p", (), contents))
    exported = {"/p/pkg/sub/tools.py": {"share"}}
    first = closure.importers(exported, exported, contents)
    second = closure.importers(exported, {*exported, *first}, contents)
    assert {*first, *second} == {"/p/pkg/__init__.py", "/p/pkg/sub/__init__.py", "/p/app.py"}


def test_nothing_communicates_nothing_is_added() -> None:
    assert importers({"tools.py": "", "app.py": f"from tools import share\n{BRANCH}"}, {"tools.py": set()}) == []


def writers(files: dict[str, str], *known: str) -> list[str]:
    contents = {f"/p/{name}": text.encode() for name, text in files.items()}
    closure = Closure(ModuleFinder("/p", (), contents))
    found = closure.imported_writers(contents, {f"/p/{name}" for name in known})
    return [path.removeprefix("/p/") for path in found]


@pytest.mark.parametrize(
    "text",
    [
        "np.savez(name, a=a)",
        "with open(name, 'w') as file:\n    file.write(text)",
        'open(name, mode="ab+")',
        "h5py.File(name, 'a')",
        "os.remove(name)",
        "frame.to_csv(name)",
        "Path(name).write_text(text)",
    ],
)
def test_an_imported_file_that_writes_files_is_read(text: str) -> None:
    files = {"app.py": "import middle", "middle.py": "from store import save", "store.py": text, "other.py": text}
    assert writers(files, "app.py") == ["store.py"]


@pytest.mark.parametrize(
    "text", ["open(name)", "open(name, 'r')", "np.load(name)", "words.remove(name)", "d.replace(a)"]
)
def test_an_imported_file_that_writes_nothing_is_left_out(text: str) -> None:
    assert writers({"app.py": "from store import load", "store.py": text}, "app.py") == []


def sources(files: dict[str, str], *known: str) -> list[str]:
    contents = {f"/p/{name}": text.encode() for name, text in files.items()}
    closure = Closure(ModuleFinder("/p", (), contents))
    found = closure.imported_sources(contents, {f"/p/{name}" for name in known})
    return [path.removeprefix("/p/") for path in found]


@pytest.mark.parametrize(
    "text", ["hash(key) % parts", "names = set(given)", "rng.normal()", "time.time()", "os.environ['ID']", "rank == 0"]
)
def test_an_imported_file_in_which_values_may_differ_is_read(text: str) -> None:
    files = {"app.py": "import middle", "middle.py": "import tools", "tools.py": text, "other.py": text}
    assert sources(files, "app.py") == ["tools.py"]


def test_imported_files_that_are_large_are_left_out() -> None:
    assert sources({"app.py": "import tools", "tools.py": "time.time()\n" * 20_000}, "app.py") == []


def test_an_imported_file_without_differences_is_left_out() -> None:
    assert sources({"app.py": "import tools", "tools.py": "def area(x):\n    return x * x\n"}, "app.py") == []
