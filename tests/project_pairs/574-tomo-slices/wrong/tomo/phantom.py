import numpy as np

ELLIPSES = [(1.0, 0.69, 0.92, 0.0, 0.0), (-0.6, 0.60, 0.82, 0.0, -0.02),
            (0.3, 0.16, 0.30, 0.22, 0.0), (0.4, 0.12, 0.20, -0.25, 0.1)]


def slice_image(index, count, size):
    """One slice of the phantom, shrinking towards the ends of the stack."""
    z = (index + 0.5) / count * 2 - 1
    scale = np.sqrt(1 - 0.8 * z * z)
    y, x = np.mgrid[-1:1:size * 1j, -1:1:size * 1j]
    image = np.zeros((size, size))
    for value, a, b, cx, cy in ELLIPSES:
        inside = ((x - cx) / (a * scale)) ** 2 + ((y - cy) / (b * scale)) ** 2 <= 1
        image[inside] += value
    return image
