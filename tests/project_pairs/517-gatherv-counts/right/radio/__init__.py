"""Channelised imaging of simulated visibilities."""
