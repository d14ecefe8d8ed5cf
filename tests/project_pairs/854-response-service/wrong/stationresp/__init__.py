"""Instrument responses served by one rank to the waveform ranks."""
