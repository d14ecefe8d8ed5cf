"""Releases that a project's own files settle."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.settings import target_versions


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("requirements.txt", "mpi4jax<0.8\n", {"mpi4jax": (0, 7, 999)}),
        ("requirements.txt", "mpi4jax>=0.3\n", {}),
        ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    mpi4jax==0.3.9\n", {"mpi4jax": (0, 3, 9)}),
        ("setup.py", 'setup(install_requires=["numpy", "mpi4jax<0.8"])\n', {"mpi4jax": (0, 7, 999)}),
        ("setup.py", "setup(install_requires=['mpi4jax>=0.2.11'])\n", {}),
        ("setup.py", "raise SystemExit('this must not run')\n", {}),
        (
            "environment.yml",
            "dependencies:\n  - mpi4jax=0.7\n  - jax =0.4.38\n",
            {"mpi4jax": (0, 7), "jax": (0, 4, 38)},
        ),
        ("requirements.txt", "jax==0.4.20\n", {"jax": (0, 4, 20), "mpi4jax": (0, 7, 999)}),
        ("requirements.txt", "jax==0.5.1\n", {"jax": (0, 5, 1)}),
        ("requirements.txt", "jax==0.3.25\nmpi4jax==0.3.9\n", {"jax": (0, 3, 25), "mpi4jax": (0, 3, 9)}),
        ("uv.lock", '[[package]]\nname = "mpi4jax"\nversion = "0.9.1"\n', {"mpi4jax": (0, 9, 1)}),
    ],
)
def test_a_file_that_settles_a_release_or_does_not(
    tmp_path: Path, name: str, text: str, expected: dict[str, tuple[int, ...]]
) -> None:
    (tmp_path / name).write_text(text)
    assert target_versions.detect(tmp_path) == expected


def test_a_lock_file_is_more_exact_than_a_requirement(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("mpi4jax<0.8\n")
    (tmp_path / "poetry.lock").write_text('[[package]]\nname = "mpi4jax"\nversion = "0.5.0"\n')
    assert target_versions.detect(tmp_path) == {"mpi4jax": (0, 5, 0)}
