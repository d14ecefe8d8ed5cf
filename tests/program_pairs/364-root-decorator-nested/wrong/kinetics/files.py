import json

from .once import on_root


@on_root
def read_units(path):
    with open(path) as f:
        return json.load(f)


@on_root
def load_model(path, units_path):
    """The reaction network with the rates in 1/s."""
    units = read_units(units_path)
    with open(path) as f:
        model = json.load(f)
    for reaction in model["rates"]:
        reaction[2] = reaction[2] * 60.0 / units["time"]
    return model
