import os
from types import SimpleNamespace

DEFAULTS = dict(rows=300, features=4, steps=25, lr=0.3, seed=12)


def load_config():
    values = {}
    for key, default in DEFAULTS.items():
        raw = os.environ.get(f"SENSORS_{key.upper()}")
        values[key] = default if raw is None else type(default)(raw)
    return SimpleNamespace(**values)
