"""Facts that determine outcomes of tests: rank, world size, configuration, constants, guards."""
