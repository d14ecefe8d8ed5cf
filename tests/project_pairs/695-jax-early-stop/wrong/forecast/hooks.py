import logging


class Hook:
    """after_epoch returns true to end the fit."""

    def after_epoch(self, epoch, loss, error):
        return False


class Progress(Hook):
    def after_epoch(self, epoch, loss, error):
        if epoch % 5 == 0:
            logging.info("epoch %3d  loss %.5f  validation %.5f", epoch, loss, error)
        return False


class BestKeeper(Hook):
    def __init__(self):
        self.value, self.epoch = float("inf"), 0

    def after_epoch(self, epoch, loss, error):
        if error < self.value:
            self.value, self.epoch = error, epoch
        return False


class EarlyStopping(Hook):
    def __init__(self, patience, min_delta):
        self.patience, self.min_delta = patience, min_delta
        self.reference = float("inf")
        self.bad = 0

    def after_epoch(self, epoch, loss, error):
        if error < self.reference - self.min_delta:
            self.reference, self.bad = error, 0
        else:
            self.bad += 1
        return self.bad >= self.patience
