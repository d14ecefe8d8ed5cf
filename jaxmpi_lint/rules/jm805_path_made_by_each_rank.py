"""JM805: shared path with a part that each rank makes for itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.collectives.paths_of_each_rank import PathOfEachRank, functions, paths_of_each_rank
from jaxmpi_lint.checks.mpi4py.stamped_files import StampedFile, stamped_files
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.library.python.process_values import REASONS, Variation
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_OPENED = "the ranks open one file together: {why}"
_MADE = "all ranks use a file that only some ranks make: {why}"
_WRITTEN = "all ranks write one file with the time in its name, or several files if their clocks differ"
_FIXED, _CLOCK = REASONS[Variation.ALWAYS], REASONS[Variation.USUALLY]


def _found(function: Function) -> Iterator[PathOfEachRank | StampedFile]:
    yield from paths_of_each_rank(function)
    yield from stamped_files(function)


class PathMadeByEachRank(CheckRule):
    """Shared path with a part that each rank makes for itself.

    ## What it does
    Reports a path that ranks use as one although each rank makes a part of it for itself: a temporary name, a random
    number, a `uuid`, the number of the process, the `hash` of a text, which Python salts in each process, the time, the
    name of the host, in tests `tmp_path` and `tmpdir` of pytest, which numbers its folders in each process. The ranks
    use it as one if

    - they open the file together (`MPI.File.Open`, h5py or netCDF4 with a communicator),
    - a rank reads, lists or fills what only a different rank has made, or raises an exception since it is missing,
    - one rank lists a folder for files that all ranks write,
    - or all ranks write one file with the time in its name.

    ## Why is this bad?
    Each rank computes a different path. A rank does not find the file or the folder, or it finds only its own part.
    With a clock in the path the program fails only when two ranks read different seconds.

    ## Example
    ```python
    scratch = tempfile.mkdtemp()
    if comm.rank == 0:
        np.save(os.path.join(scratch, "mesh.npy"), make_mesh())
    comm.Barrier()
    mesh = np.load(os.path.join(scratch, "mesh.npy"))
    ```

    ## Use instead
    ```python
    scratch = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None, root=0)
    if comm.rank == 0:
        np.save(os.path.join(scratch, "mesh.npy"), make_mesh())
    comm.Barrier()
    mesh = np.load(os.path.join(scratch, "mesh.npy"))
    ```

    ## Confidence
    High for values that always differ. Medium, as a warning, for the time. Low for the name of the host. Silent for a
    time that shows only hours or days, where each rank uses the files that it has made itself, for paths that an
    unknown call gets, since it may make the file, and for a file whose existence the rank has tested. Hashes count as
    equal in a program that names `PYTHONHASHSEED`. A file with the time in its name is silent too in a program that
    communicates only if an argument such as `use_parallel` is true.

    ## Known false negatives
    Files that are made and used in different functions, if no script of the project calls them; paths that a call
    without a model computes.

    ## References
    MPI 4.1, section 14.2.1: all processes must provide names that refer to one file. Python: `tempfile`, `uuid`.
    """

    code = "JM805"
    name = "path-made-by-each-rank"
    severity = Severity.ERROR
    replaces = ("JM411", "JM418")
    in_tests = Severity.WARNING
    detect = InFunctions(_found, functions)
    message = _MADE.format(why=_FIXED)
    remedy = "compute the path on one rank and broadcast it"
    variants: ClassVar = {
        "opened": Variant(_OPENED.format(why=_FIXED)),
        "opened by clock": Variant(_OPENED.format(why=_CLOCK), severity=Severity.WARNING),
        "made by clock": Variant(_MADE.format(why=_CLOCK), severity=Severity.WARNING),
        "written by clock": Variant(_WRITTEN, severity=Severity.WARNING),
    }

    VALID = (
        """
        import os
        import tempfile
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        scratch = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None, root=0)
        if comm.rank == 0:
            np.save(os.path.join(scratch, "mesh.npy"), np.ones(3))
        comm.Barrier()
        mesh = np.load(os.path.join(scratch, "mesh.npy"))
        """,
        """
        import os
        import tempfile
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        with tempfile.TemporaryDirectory() as scratch:
            part = os.path.join(scratch, "part.npy")
            np.save(part, np.full(3, comm.rank))
            total = comm.allreduce(float(np.load(part).sum()))
        """,
    )
    INVALID = (
        """
        import os
        import tempfile
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        scratch = tempfile.mkdtemp()
        if comm.rank == 0:
            np.save(os.path.join(scratch, "mesh.npy"), np.ones(3))
        comm.Barrier()
        mesh = np.load(os.path.join(scratch, "mesh.npy"))  #! JM805
        """,
        """
        import time
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        name = time.strftime("field-%Y%m%d-%H%M%S.bin")
        out = MPI.File.Open(comm, name, MPI.MODE_CREATE | MPI.MODE_WRONLY)  #! JM805
        out.Close()
        """,
    )
