import numpy as np


class Reducer:
    def __init__(self, flat, bias=300.0, threshold=6.0):
        self.flat = flat
        self.bias = bias
        self.threshold = threshold

    def calibrate(self, raw, seconds):
        return (raw - self.bias) / self.flat / seconds

    def detect(self, image):
        level = np.median(image)
        noise = 1.48 * np.median(np.abs(image - level))
        hot = image > level + self.threshold * noise
        peak = hot.copy()
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            peak &= image >= np.roll(image, (dy, dx), axis=(0, 1))
        return int(peak.sum()), float(level)
