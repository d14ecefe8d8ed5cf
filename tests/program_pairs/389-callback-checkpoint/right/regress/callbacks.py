import pickle

import numpy as np


class Callback:
    #: if True the callback only makes sense on rank 0 (printing etc.)
    root_only = False

    def on_epoch_end(self, trainer, epoch, loss):
        pass


class Printer(Callback):
    root_only = True

    def on_epoch_end(self, trainer, epoch, loss):
        print(f"epoch {epoch:3d}   loss {loss:.6f}")


class History(Callback):
    def __init__(self):
        self.losses = []

    def on_epoch_end(self, trainer, epoch, loss):
        self.losses.append(loss)


class Checkpoint(Callback):
    root_only = False

    def __init__(self, path, every=5):
        self.path = path
        self.every = every

    def on_epoch_end(self, trainer, epoch, loss):
        if (epoch + 1) % self.every:
            return
        state = trainer.state_dict()
        if trainer.comm.rank != 0:
            return
        state["epoch"] = epoch
        tmp = self.path.with_suffix(".tmp")
        tmp.write_bytes(pickle.dumps(state))
        tmp.replace(self.path)
