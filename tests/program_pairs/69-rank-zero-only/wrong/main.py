import numpy as np

from parallel import say, world
from trainer import Trainer


def make_data(rank, n=400, dim=6):
    rng = np.random.default_rng(100 + rank)
    x = rng.normal(size=(n, dim))
    true = np.arange(dim) - 2.5
    y = (x @ true + rng.logistic(size=n) > 0).astype(float)
    return x, y


if __name__ == "__main__":
    x, y = make_data(world.rank)
    trainer = Trainer(x, y)
    final = trainer.fit(epochs=40)
    say(f"final loss {final:.5f}  w = {np.round(trainer.w, 2)}")
