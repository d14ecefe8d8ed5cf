"""Two-level output: processes hand their rows to an aggregator, aggregators write."""
