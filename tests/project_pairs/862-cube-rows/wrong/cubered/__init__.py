"""Reduction of integral field cubes, one group of spectra per rank."""
