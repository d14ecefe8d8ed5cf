import logging

from . import dist


class Callback:
    def on_epoch_end(self, epoch, loss, trainer):
        pass


class LogCallback(Callback):
    def on_epoch_end(self, epoch, loss, trainer):
        if dist.is_primary():
            logging.info("epoch %d loss %.6f", epoch, loss)


class CheckpointCallback(Callback):
    def __init__(self, manager, every):
        self.manager = manager
        self.every = every

    def on_epoch_end(self, epoch, loss, trainer):
        if (epoch + 1) % self.every == 0:
            self.manager.save(epoch + 1, trainer.params)
