DEFAULTS = {
    "n_side": 4,
    "density": 0.7,
    "temperature": 1.2,
    "cutoff": 1.7,
    "dt": 0.004,
    "steps": 60,
    "seed": 11,
    "report_every": 10,
    "rescale_every": 5,
    "drift_every": 10,
    "max_drift": 0.5,
    "callbacks": ["thermostat", "report", "drift"],
}


def merge(base, overrides):
    """Base settings with key=value overrides cast to the type of the default."""
    out = dict(base)
    for key, text in overrides.items():
        if key not in base:
            raise KeyError(f"unknown setting {key}")
        kind = type(base[key])
        out[key] = text.split(",") if kind is list else kind(text)
    return out
