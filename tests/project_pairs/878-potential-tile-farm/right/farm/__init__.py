"""Map of the electrostatic potential of a charge cloud, computed tile by tile."""
