"""Topology of the catchments that are summed."""

BASINS = {
    "weser": ["Fulda", "Aller"],
    "rhine": ["Lahn", "Nidda", "Jagst", "Wupper", "Elz"],
    "elbe": ["Saale", "Bode", "Ilm", "Aller"],
}


class Network:
    def __init__(self, basins=BASINS, skip=()):
        self.basins = {k: [g for g in v if g not in skip] for k, v in basins.items()}

    def monitored(self):
        """Names of all gauges in use; some belong to more than one basin."""
        names = set()
        for members in self.basins.values():
            names.update(members)
        return names

    def members(self, basin):
        return self.basins[basin]
