class Catalog:
    """All sources of the night, kept in full by every rank."""

    def __init__(self):
        self._flux = {}

    def add(self, rows):
        for key, flux in rows:
            if key not in self._flux or flux > self._flux[key]:
                self._flux[key] = flux

    def __len__(self):
        return len(self._flux)

    def brightest(self):
        return max(self._flux.values())
