from functools import total_ordering

import numpy as np


@total_ordering
class Region:
    """Latitude band; bands compare by their southern edge."""

    def __init__(self, name, south, north, cells):
        self.name, self.south, self.north, self.cells = name, south, north, cells

    def __eq__(self, other):
        return (self.south, self.name) == (other.south, other.name)

    def __lt__(self, other):
        return (self.south, self.name) < (other.south, other.name)

    def __hash__(self):
        return hash((self.south, self.name))

    def temperatures(self):
        lat = np.linspace(self.south, self.north, self.cells, endpoint=False)
        rng = np.random.default_rng(int(self.south) + 900)
        return 30.0 * np.cos(np.radians(lat)) - 5.0 + rng.normal(size=self.cells)


REGIONS = frozenset({Region("arctic", 60.0, 90.0, 13), Region("north", 25.0, 60.0, 31),
                     Region("tropic", -25.0, 25.0, 44), Region("south", -90.0, -25.0, 29)})
