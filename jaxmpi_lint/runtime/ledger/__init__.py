"""The ledger of a job as plain data, with the source lines that it refers to."""
