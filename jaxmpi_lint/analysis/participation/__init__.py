"""Which places and collectives all, or the remaining, processes reach."""
