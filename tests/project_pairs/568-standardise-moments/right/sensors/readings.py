import numpy as np


def read_sensor(cfg, sensor):
    """Readings of one sensor; every sensor has its own offset and gain."""
    truth = np.random.default_rng(cfg.seed).normal(size=cfg.features)
    rng = np.random.default_rng((cfg.seed, sensor))
    gain = 1.0 + 0.5 * sensor
    x = 2.0 * sensor + gain * rng.normal(size=(cfg.rows, cfg.features))
    y = x @ truth + 0.1 * rng.normal(size=cfg.rows)
    return x.astype(np.float32), y.astype(np.float32)
