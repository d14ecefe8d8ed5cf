"""Flat configuration with command line overrides."""

DEFAULT = {
    "width": 2.0,
    "height": 1.0,
    "amplitude": 0.12,
    "epsilon": 0.25,
    "period": 10.0,
    "drifters": 60,
    "seed": 3,
    "dt": 0.05,
    "steps": 120,
    "report": 40,
    "record": "",
    "migrator": "alltoall",
}


def load_config(pairs):
    cfg = dict(DEFAULT)
    for pair in pairs:
        key, _, text = pair.partition("=")
        if key not in cfg:
            raise SystemExit(f"unknown key {key!r}")
        cfg[key] = type(cfg[key])(text)
    return cfg
