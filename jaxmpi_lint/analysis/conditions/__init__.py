"""What the outcome of a test follows from: rank, world size, configuration, constants, guards."""
