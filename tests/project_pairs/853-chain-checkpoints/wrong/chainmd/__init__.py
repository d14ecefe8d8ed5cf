"""Molecular dynamics of an anharmonic chain with a tracked defect."""
