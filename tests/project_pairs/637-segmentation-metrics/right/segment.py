"""Fits per-class colour models for pixel labels, one set of images on each rank."""
import numpy as np

import dist
from metrics import ConfusionMatrix
from tracker import Tracker

N_CLASSES = 3
SHAPE = (48, 48)
CENTRES = np.array([[0.2, 0.3, 0.6], [0.5, 0.7, 0.3], [0.7, 0.4, 0.3]])


def synthetic_image(rng):
    yy, xx = np.mgrid[:SHAPE[0], :SHAPE[1]] / SHAPE[0]
    wave = yy + 0.1 * np.sin(6 * xx + rng.uniform(0, 6)) + rng.uniform(-0.1, 0.1)
    target = np.digitize(wave, [0.35, 0.7])
    image = CENTRES[target] + 0.18 * rng.normal(size=(*SHAPE, 3))
    return image, target


class ColourModel:
    """Nearest class mean with a running update of the means."""

    def __init__(self, seed=0):
        self.means = np.random.default_rng(seed).uniform(0.3, 0.6, size=(N_CLASSES, 3))
        self.rate = 0.5

    def predict(self, image):
        d2 = ((image[..., None, :] - self.means) ** 2).sum(axis=-1)
        return d2.argmin(axis=-1)

    def fit_round(self, data):
        sums = np.zeros((N_CLASSES, 4))
        for image, target in data:
            for c in range(N_CLASSES):
                pixels = image[target == c]
                sums[c, :3] += pixels.sum(axis=0)
                sums[c, 3] += len(pixels)
        sums = dist.sum_array(sums)
        fresh = sums[:, :3] / np.maximum(sums[:, 3:], 1.0)
        self.means += self.rate * (fresh - self.means)


def main(rounds=6, n_train=8, n_valid=4):
    rng = np.random.default_rng([3, dist.rank()])
    train = [synthetic_image(rng) for _ in range(n_train)]
    valid = [synthetic_image(rng) for _ in range(n_valid)]
    model = ColourModel()
    confusion = ConfusionMatrix(N_CLASSES)
    tracker = Tracker("rounds.csv")
    tracker.info(f"{dist.world_size()} ranks, {n_train * dist.world_size()} training images")

    for number in range(1, rounds + 1):
        model.fit_round(train)
        confusion.reset()
        for image, target in valid:
            confusion.update(target, model.predict(image))
        tracker.log_round(number, confusion.compute())

    tracker.info(f"best miou {tracker.best:.4f}")


if __name__ == "__main__":
    main()
