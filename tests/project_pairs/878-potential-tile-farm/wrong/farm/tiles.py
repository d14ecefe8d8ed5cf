from dataclasses import dataclass


@dataclass(frozen=True)
class Tile:
    number: int
    row: int
    col: int
    edge: int

    def slices(self):
        return (slice(self.row, self.row + self.edge),
                slice(self.col, self.col + self.edge))


class Tiling:
    def __init__(self, extent, edge):
        if extent % edge:
            raise ValueError("the edge of a tile must divide the extent")
        self.extent = extent
        self.edge = edge
        starts = range(0, extent, edge)
        places = [(r, c) for r in starts for c in starts]
        self.tiles = [Tile(n, r, c, edge) for n, (r, c) in enumerate(places)]

    def __len__(self):
        return len(self.tiles)

    def __getitem__(self, number):
        return self.tiles[number]
