"""Lines of scripts and instructions that start programs, and the release of Open MPI that they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.command import cli
from jaxmpi_lint.settings import launch_scripts

BARE = "import jax\n\njax.distributed.initialize()\n"
TOLD = 'import jax\n\njax.distributed.initialize(cluster_detection_method="mpi4py")\n'


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("run.sh", "module load openmpi/5.0.3\nmpirun -n 4 python train.py\n", ("mpirun", "train", True)),
        ("run.sh", "module load openmpi/4.1.6\nmpirun -n 4 python train.py\n", ("mpirun", "train", False)),
        ("scripts/go.sbatch", "srun python -u src/train.py --steps 3\n", ("srun", "train", False)),
        ("Makefile", "test:\n\tprterun -n 2 \\\n\t  python -m package.train\n", ("prterun", "train", True)),
        ("README.md", "    mpiexec -n 2 python3 -m mpi4py train.py  # Open MPI 5\n", ("mpiexec", "train", True)),
        ("run.sh", "mpirun -n 4 ./simulate\n", None),
        ("run.txt", "mpirun -n 4 python train.py\n", None),
        ("run.sh", "echo mpirun\npython train.py\n", None),
    ],
)
def test_a_line_that_starts_a_program_or_not(
    tmp_path: Path, name: str, text: str, expected: tuple[str, str, bool] | None
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    found = [(launch.launcher, launch.program, launch.open_mpi_5) for launch in launch_scripts.detect(tmp_path)]
    assert found == ([expected] if expected is not None else [])


@pytest.mark.parametrize(
    ("name", "text", "release"),
    [
        ("requirements.txt", "jax\nopenmpi\n", True),
        ("requirements.txt", "openmpi<5\n", False),
        ("pyproject.toml", '[project]\ndependencies = [\n  "openmpi>=5",\n]\n', True),
        ("pyproject.toml", '[project]\ndependencies = ["mpi4py"]\n', False),
    ],
)
def test_a_requirement_that_shows_the_release(tmp_path: Path, name: str, text: str, release: bool) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "run.sh").write_text("\n\nmpirun -n 4 python train.py\n")
    assert [(launch.place, launch.open_mpi_5) for launch in launch_scripts.detect(tmp_path)] == [("run.sh:3", release)]


@pytest.mark.parametrize(
    ("script", "program", "status"),
    [
        ("module load openmpi/5.0.3\nmpirun -n 4 python train.py\n", BARE, 1),
        ("module load openmpi/5.0.3\nmpirun -n 4 python train.py\n", TOLD, 0),
        ("module load openmpi/4.1.6\nmpirun -n 4 python train.py\n", BARE, 0),
        ("module load openmpi/5.0.3\nsrun -n 4 python train.py\n", BARE, 0),
        ("module load openmpi/5.0.3\nmpirun -n 4 python other.py\n", BARE, 0),
    ],
)
def test_a_program_and_the_script_that_starts_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str, program: str, status: int
) -> None:
    """The script counts for the cache too: a change of it changes the findings."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "train.py").write_text(program)
    (tmp_path / "run.sh").write_text("python train.py\n")
    chosen = ["--select", "JM617", "--cache-dir", str(tmp_path / "cache"), str(tmp_path)]
    assert cli.main(chosen) == 0
    (tmp_path / "run.sh").write_text(script)
    assert cli.main(chosen) == status
    assert ("run.sh:2" in capsys.readouterr().out) == bool(status)


def test_files_and_lines_that_programs_wrote_are_not_read_to_their_end(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("mpirun python " * 14_000 + "train.py\nmpirun python train.py\n")
    (tmp_path / "notes.md").write_text("\n" * 200_000 + "mpirun python train.py\n")
    assert [launch.place for launch in launch_scripts.detect(tmp_path)] == ["run.sh:2"]
