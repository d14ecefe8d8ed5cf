"""Reading fixtures: options, repaired texts, folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Rule

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in registry.load()}
SILENCED = "from mpi4py import MPI\n\nMPI.COMM_WORLD.Barrier()  # noqa: JM002"
ALLREDUCE = """\
# target: mpi4jax={version}
import mpi4jax
from mpi4py import MPI


def norm(x, comm):
    total = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
    return total + 1{mark}
"""


def fixtures(folder: Path, code: str, files: Mapping[str, str]) -> dict[str, testing.Case]:
    for name, text in files.items():
        file = folder / code / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    cases = testing.cases(RULES[code], folder)
    return {case.name: case for case in cases if "-" not in case.name}


def test_a_fixture_names_the_versions_that_it_is_for(tmp_path: Path) -> None:
    old = ALLREDUCE.format(version="0.5.0 jax=0.5.0", mark="  #! JM502")
    new = ALLREDUCE.format(version="0.8.0", mark="")
    cases = fixtures(tmp_path, "JM502", {"invalid_old.py": old, "valid_new.py": new})
    assert cases["invalid_old"].target == {"mpi4jax": "0.5.0", "jax": "0.5.0"}
    assert cases["valid_new"].target == {"mpi4jax": "0.8.0"}
    for case in cases.values():
        case.check()
    with pytest.raises(AssertionError, match=r"missing: invalid_wrong\.py:8 JM502"):
        fixtures(tmp_path, "JM502", {"invalid_wrong.py": old.replace("0.5.0 ", "0.8.0 ")})["invalid_wrong"].check()


def test_a_fixture_has_settings(tmp_path: Path) -> None:
    text = """\
# settings: {"rank-names": ["my_id"]}
from mpi4py import MPI


def publish(comm, my_id, value):
    if my_id == 0:
        comm.bcast(value)  #! JM101
"""
    plain = text.partition("\n")[2].replace("  #! JM101", "")
    cases = fixtures(tmp_path, "JM101", {"invalid_named.py": text, "valid_unknown.py": plain})
    assert cases["invalid_named"].settings == {"rank-names": ["my_id"]}
    for case in cases.values():
        case.check()


def test_a_fixture_has_its_repaired_text_beside_it(tmp_path: Path) -> None:
    option = '\n# settings: {"select": ["JM0"]}\n'
    files = {
        "invalid_one.py": f"{SILENCED} #! JM003{option}",
        "invalid_one.fixed.py": SILENCED.partition("  #")[0] + option,
        "invalid_two/a.py": f"{SILENCED} #! JM003\n",
        "invalid_two/b.py": f"import a{option}",
        "invalid_two.fixed/a.py": SILENCED.partition("  #")[0] + "\n",
    }
    cases = fixtures(tmp_path, "JM003", files)
    assert sorted(cases) == ["invalid_one", "invalid_two"]
    assert cases["invalid_two"].settings == {"select": ["JM0"]}
    for case in cases.values():
        assert case.fixed is not None
        case.check()
    wrong = fixtures(tmp_path, "JM003", {"invalid_one.fixed.py": files["invalid_one.py"]})
    with pytest.raises(AssertionError, match=r"invalid_one\.py after all repairs is"):
        wrong["invalid_one"].check()


@pytest.mark.parametrize("row", ["# target: mpi4jax 0.5", "# target:", "# settings: [1]", "# settings: {select}"])
def test_an_option_that_cannot_be_read_is_named(tmp_path: Path, row: str) -> None:
    with pytest.raises(ValueError, match=r"JM101.valid_one\.py: cannot read the row '# "):
        fixtures(tmp_path, "JM101", {"valid_one.py": f"{row}\n"})
