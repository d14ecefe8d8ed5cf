"""Program points and collectives that all, or the remaining, processes reach."""
