"""Synthetic ensemble members of a surface temperature field."""
import numpy as np

SHAPE = (24, 48)


def member_ids(config, rank, size):
    return [m for m in range(config["members"]) if m % size == rank]


def load(member):
    rng = np.random.default_rng(500 + member)
    lat = np.linspace(-89, 89, SHAPE[0])[:, None]
    base = 288.0 - 35.0 * np.sin(np.deg2rad(lat)) ** 2
    return base + rng.standard_normal(SHAPE)


def area_weights():
    lat = np.linspace(-89, 89, SHAPE[0])
    w = np.cos(np.deg2rad(lat))
    return np.repeat((w / w.sum())[:, None], SHAPE[1], axis=1) / SHAPE[1]
