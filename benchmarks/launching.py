"""Environment of the MPI launchers, independent of that of the calling process."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

BIN = Path(sys.executable).parent
OVERSUBSCRIBED: Mapping[str, str] = {
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
THREADS: Mapping[str, str] = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The given variables and the caller's, without those of the sanitizer."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JAXMPI_")}
    return kept | {
        "PATH": f"{BIN}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        **variables,
    }
