"""What the calls of the supported libraries do, as data."""
