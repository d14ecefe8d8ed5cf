DEFAULTS = {
    "hidden": 16,
    "samples": 240,
    "batch": 20,
    "epochs": 15,
    "rate": 0.05,
    "seed": 21,
    "averager": "layerwise",
    "freeze": "",
}


def load(options):
    cfg = dict(DEFAULTS)
    for option in options:
        key, text = option.split("=", 1)
        cfg[key] = type(DEFAULTS[key])(text)
    cfg["freeze"] = set(filter(None, cfg["freeze"].split("+")))
    return cfg
