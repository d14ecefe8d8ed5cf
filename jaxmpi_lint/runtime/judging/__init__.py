"""From snapshots of the ledger to findings."""
