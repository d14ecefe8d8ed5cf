import numpy as np


def batch_of(step, process, rows, side=6):
    """Small images with a bright quadrant, the class is the quadrant."""
    rng = np.random.default_rng((step, process))
    label = rng.integers(0, 4, size=rows)
    image = 0.3 * rng.normal(size=(rows, side, side)).astype(np.float32)
    half = side // 2
    for i, k in enumerate(label):
        r, c = divmod(int(k), 2)
        image[i, r * half:(r + 1) * half, c * half:(c + 1) * half] += 1.0
    return image.reshape(rows, -1), label.astype(np.int32)
