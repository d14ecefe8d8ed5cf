import numpy as np

ROW_FIELDS = ("lat", "lon", "zenith", "cloud", "sst")


def read_rows(granules, pixels, seed=812):
    """Pixel rows of some granules, one column for each of ROW_FIELDS."""
    blocks = [np.empty((0, len(ROW_FIELDS)))]
    for g in granules:
        rng = np.random.default_rng([seed, g])
        track = np.linspace(-60, 60, pixels) * (1 if g % 2 else -1)
        scan = rng.uniform(-1, 1, pixels)
        lat = track + 4.0 * scan
        lon = (32.0 * g + 12.0 * scan) % 360.0
        zenith = np.abs(scan) * 68.0
        cloud = rng.random(pixels) ** (1.0 + 0.3 * (g % 4))
        sst = 300.5 - 0.0075 * lat**2 + rng.normal(scale=0.4, size=pixels)
        sst -= np.where(cloud > 0.7, 15.0 * cloud, 0.0)
        blocks.append(np.column_stack([lat, lon, zenith, cloud, sst]))
    return np.concatenate(blocks)
