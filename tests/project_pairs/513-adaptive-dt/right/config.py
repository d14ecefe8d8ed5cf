"""Run options of the Burgers solver, YAML-like nesting."""
import copy

DEFAULT = {
    "mesh": {"points": 400, "length": 1.0},
    "time": {"end": 0.25, "cfl": 0.4, "dt_max": 5e-3, "max_steps": 4000},
    "physics": {"viscosity": 5e-4, "amplitude": 1.0},
    "output": {"every": 50},
}


def merged(overrides=None):
    cfg = copy.deepcopy(DEFAULT)
    for dotted, value in (overrides or {}).items():
        section, key = dotted.split(".")
        if key not in cfg[section]:
            raise KeyError(dotted)
        cfg[section][key] = type(cfg[section][key])(value)
    return cfg


def parse_overrides(argv):
    return dict(item.split("=", 1) for item in argv)
