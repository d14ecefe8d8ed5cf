"""Assembles the mosaic on the first rank."""
import numpy as np

from .outbox import Inbox, Outbox
from .source import Camera, TileSource


def build_mosaic(comm, layout):
    """The mosaic on rank 0, None elsewhere."""
    source = TileSource(Camera(layout), layout.of_rank(comm.rank, comm.size))
    if comm.rank != 0:
        with Outbox(comm, dest=0) as outbox:
            for index, tile in source:
                outbox.post(index, tile)
        return None

    mosaic = np.zeros(layout.shape)
    for index, tile in source:
        mosaic[layout.window(index)] = tile
    buffer = np.empty((layout.tile, layout.tile))
    inbox = Inbox(comm, layout)
    for index, tile in inbox.tiles(layout.count - len(source), buffer):
        mosaic[layout.window(index)] = tile
    return mosaic
