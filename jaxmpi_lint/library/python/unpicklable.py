"""Functions and classes, by their last name, whose results belong to one process and cannot be pickled.

Facts from Python's documentation of ``pickle`` and from those of mpi4py, h5py and netCDF4.
"""

from __future__ import annotations

OF_PROCESS = frozenset(
    (
        "open open_memmap memmap fdopen popen Popen File Dataset MFDataset ZipFile TarFile connect cursor socket"
        " NamedTemporaryFile TemporaryFile TemporaryDirectory SpooledTemporaryFile Lock RLock Event Condition"
        " Semaphore Queue Thread Process Pool ThreadPoolExecutor ProcessPoolExecutor Win Allocate Allocate_shared"
        " Dup Split Create Isend Irecv isend irecv getLogger writer DictWriter reader DictReader tqdm trange"
        " SummaryWriter mkstemp iter zip map filter enumerate figure subplots"
    ).split()
)
"""File handles, connections, locks, processes, handles of MPI, iterators, figures."""
