"""Detection of tests at which the processes diverge and communicate differently."""
