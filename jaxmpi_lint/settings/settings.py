"""Settings of a run of the linter, from configuration and command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.settings.launch_scripts import Launch

# The output formats, and the function below `jaxmpi_lint.reporters` that writes each of them.
FORMATS: Mapping[str, str] = {
    "full": "plain.full",
    "concise": "concise.concise",
    "json": "json_format.array",
    "jsonl": "json_format.lines",
    "sarif": "sarif.sarif",
    "github": "github.github",
    "gitlab": "gitlab.gitlab",
    "junit": "junit.junit",
}
PACKAGES = ("jax", "mpi4py", "mpi4jax")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A function of the user that acts as an operation of a library.

    ``name`` is its dotted name in imports, ``operation`` that of the library (``mpi4py.MPI.Comm.allreduce``). The other
    fields give the parameter, by position or name, for each role. ``origin`` is its place in the settings.
    """

    name: str
    operation: str
    communicator: int | str | None = None
    root: int | str | None = None
    value: int | str | None = None
    origin: str = field(default="setting wrappers", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one project, with defaults.

    ``targets`` are versions of jax, mpi4py and mpi4jax; an absent package is unknown, for mpi4jax the newest.
    ``uniform`` are patterns over dotted expressions (``cfg.*``) that have the same value on every process.
    ``docs_url`` is the address of the rule pages (``<docs_url>/rules/JM101/``), for reports with links. ``launches``
    are the lines of the project's scripts that start its programs. ``origins`` are the places of rule selectors, for
    messages about unknown ones.
    """

    root: Path
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    src: tuple[str, ...] = ("src",)
    targets: dict[str, tuple[int, ...]] = field(default_factory=dict)
    launches: tuple[Launch, ...] = ()
    rank_names: tuple[str, ...] = ()
    comm_names: tuple[str, ...] = ()
    uniform: tuple[str, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()
    transforms: tuple[str, ...] = ()
    preview: bool = False
    min_confidence: Confidence = Confidence.MEDIUM
    min_severity: Severity = Severity.WARNING
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    output_format: str = "full"
    output_file: Path | None = None
    statistics: bool = False
    baseline: Path | None = None
    cache_dir: Path | None = None
    no_cache: bool = False
    jobs: int | None = None
    exit_zero: bool = False
    quiet: bool = False
    verbose: bool = False
    docs_url: str | None = None
    origins: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def cache_folder(self) -> Path:
        """The folder in which findings are kept between runs."""
        return self.cache_dir or self.root / ".jaxmpi_lint_cache"


# The settings that determine the set of findings; all others only affect what is done with them.
DECISIVE = (
    "root",
    "select",
    "ignore",
    "extend_select",
    "per_file_ignores",
    "exclude",
    "src",
    "targets",
    "launches",
    "rank_names",
    "comm_names",
    "uniform",
    "wrappers",
    "transforms",
    "preview",
)


def format_version(version: tuple[int, ...]) -> str:
    """``0.8.1`` for ``(0, 8, 1)``."""
    return ".".join(str(part) for part in version)
