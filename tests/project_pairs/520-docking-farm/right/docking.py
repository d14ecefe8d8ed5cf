"""Rigid docking of toy ligands to a charged pocket by random search."""
import numpy as np


def pocket():
    rng = np.random.default_rng(100)
    xyz = rng.normal(scale=4.0, size=(40, 3))
    return xyz, rng.choice([-1.0, 1.0], 40)


def ligand(seed, atoms):
    rng = np.random.default_rng(seed)
    xyz = np.cumsum(rng.normal(scale=0.8, size=(atoms, 3)), axis=0)
    q = rng.normal(scale=0.4, size=atoms)
    return xyz - xyz.mean(axis=0), q


def random_rotation(rng):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.sign(np.diag(r))


def dock(payload, attempt):
    site, charge = pocket()
    xyz, q = ligand(payload["seed"], payload["atoms"])
    rng = np.random.default_rng([payload["seed"], attempt])
    best = np.inf
    for _ in range(payload["poses"]):
        pose = xyz @ random_rotation(rng).T + rng.normal(scale=2.0, size=3)
        d = np.linalg.norm(pose[:, None] - site[None], axis=2)
        e = float((q[:, None] * charge[None] / np.maximum(d, 0.3)).sum())
        e += float((np.clip(1.2 - d, 0.0, None) ** 2).sum()) * 20.0
        best = min(best, e)
    if best > payload["limit"]:
        raise FloatingPointError(f"no pose below {payload['limit']}")
    return round(best, 4)
