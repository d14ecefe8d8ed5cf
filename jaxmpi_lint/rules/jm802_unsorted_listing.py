"""JM802: the order of a listing of files decides what the processes do with one another."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.nondeterminism.listing_uses import listing_uses, sort_listing
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class UnsortedListing(CheckRule):
    """Order of a listing of files decides what processes share.

    ## What it does
    Reports results of `os.listdir`, `os.scandir`, `glob.glob` and of the `pathlib` methods `iterdir` and `glob` that
    are not sorted, where a loop over them communicates for each file, or where each rank takes its share of them by
    position.

    ## Why is this bad?
    A file system lists files in an order of its own, which may differ between nodes and from one moment to the next.
    Ranks that cut different lists take some files twice and leave others out; ranks that walk through different lists
    communicate about different files.

    ## Example
    ```python
    files = os.listdir(folder)
    mine = files[comm.rank :: comm.size]
    ```

    ## Use instead
    ```python
    files = sorted(os.listdir(folder))
    mine = files[comm.rank :: comm.size]
    ```

    ## Fix safety
    Safe: the listing is wrapped in `sorted`, which gives every process one order. Entries of `os.scandir` cannot be
    compared; there is no fix for them.

    ## Confidence
    High when the listing is used in the function that makes it, medium when it comes from another function or a field.
    Silent when the list is sorted anywhere, when one rank lists and broadcasts the result, when each process lists a
    folder of its own, when only one role walks through the list, and when no position depends on the rank.

    ## Known false negatives
    `os.walk`; lists that are put together with `+=`; lists that arrive as parameters or from another file.

    ## References
    Python documentation, `os.listdir` ("the list is in arbitrary order"), `glob` and `pathlib.Path.iterdir`. MPI 4.1,
    section 6.14 (collectives are called in the same order by all processes).
    """

    code = "JM802"
    name = "unsorted-listing"
    severity = Severity.WARNING
    specificity = 110
    fix = Applicability.SAFE
    detect = in_functions(listing_uses)
    repair = sort_listing
    message = "processes may walk through `{d.text}` in different orders and call `{d.called}` for other files"
    remedy = "{d.sorting}"
    variants: ClassVar = {
        "share": Variant(
            "each rank takes its share by position from `{d.text}`, whose order is that of the file system"
        )
    }

    VALID = (
        """
        import os
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        files = sorted(os.listdir("data"))
        for name in files[comm.rank :: comm.size]:
            print(name)
        """,
        """
        import os
        from mpi4py import MPI


        def share(comm, folder):
            names = os.listdir(folder) if comm.rank == 0 else None
            names = comm.bcast(names)
            return names[comm.rank :: comm.size]
        """,
    )
    INVALID = (
        Example(
            """
            import os
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            files = os.listdir("data")
            mine = files[comm.rank :: comm.size]  #! JM802
            """,
            fixed="""
            import os
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            files = sorted(os.listdir("data"))
            mine = files[comm.rank :: comm.size]
            """,
        ),
        """
        import os
        import jax


        def find(folder):
            found = []
            for name in os.listdir(folder):
                if name.endswith(".tfrecord"):
                    found.append(os.path.join(folder, name))
            return found


        def shard(folder):
            files = find(folder)
            return files[jax.process_index() :: jax.process_count()]  #! JM802
        """,
    )
