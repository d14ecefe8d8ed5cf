"""JM802: unsorted file listing used for communication or work distribution."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.nondeterminism.listing_uses import listing_uses, sort_listing
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class UnsortedListing(CheckRule):
    """Unsorted file listing used for communication or work distribution.

    ## What it does
    Reports unsorted results of `os.listdir`, `os.scandir`, `glob.glob` and of the `pathlib` methods `iterdir` and
    `glob`, where a loop over them communicates for each file, or where each rank selects its files by position.

    ## Why is this bad?
    A file system lists files in arbitrary order, which may differ between nodes and change over time. Ranks that split
    different lists process some files twice and skip others; ranks that iterate over different lists communicate about
    different files.

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
    Safe: the fix wraps the listing in `sorted`, which gives the same order on every rank. There is no fix for entries
    of `os.scandir`, which cannot be compared.

    ## Confidence
    High when the listing is used in the function that creates it, medium when it comes from a called function or an
    attribute. Silent when the list is sorted anywhere, when one rank lists the files and broadcasts the result, when
    each rank lists a separate folder, when only one role iterates over the list, and when no position depends on the
    rank.

    ## Known false negatives
    `os.walk`; lists built with `+=`; lists that come from parameters or from other modules.

    ## References
    Python documentation, `os.listdir` ("the list is in arbitrary order"), `glob` and `pathlib.Path.iterdir`. MPI 4.1,
    section 6.14 (all members of the group execute collectives in the same order).
    """

    code = "JM802"
    name = "unsorted-listing"
    severity = Severity.WARNING
    specificity = 110
    fix = Applicability.SAFE
    detect = in_functions(listing_uses)
    repair = sort_listing
    message = "the order of `{d.text}` may differ between processes, so `{d.called}` may be called for different files"
    remedy = "{d.sorting}"
    variants: ClassVar = {
        "share": Variant(
            "each rank selects its files by position from `{d.text}`, whose order may differ between ranks"
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
