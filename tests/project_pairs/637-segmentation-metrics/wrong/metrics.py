"""Streaming confusion matrix."""
import numpy as np

import dist


class ConfusionMatrix:
    def __init__(self, n_classes):
        self.n_classes = n_classes
        self.reset()

    def reset(self):
        self.counts = np.zeros((self.n_classes, self.n_classes), dtype=np.int64)

    def update(self, target, prediction):
        index = self.n_classes * target.ravel() + prediction.ravel()
        binned = np.bincount(index, minlength=self.n_classes**2)
        self.counts += binned.reshape(self.n_classes, self.n_classes)

    def compute(self):
        """Pixel accuracy and mean IoU over the data of all ranks."""
        total = dist.sum_array(self.counts)
        hits = np.diag(total)
        union = total.sum(axis=0) + total.sum(axis=1) - hits
        iou = hits / np.maximum(union, 1)
        return {"acc": float(hits.sum() / total.sum()), "miou": float(iou.mean())}
