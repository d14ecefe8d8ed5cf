"""The monitor of MPI jobs: ``python -m jaxmpi_lint.runtime.monitor LEDGER``."""
