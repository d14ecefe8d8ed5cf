import logging

import jax

import launch
from encoding import LabelEncoder
from flowers import own_rows, samples
from softmax import SoftmaxTrainer

CONFIG = {"count": 400, "steps": 60, "rate": 0.3, "rare": 5}


@launch.on_main
def report(loss, classes):
    print(f"{classes} classes, loss {loss:.4f}")


def main():
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("encoding").setLevel(logging.INFO)
    launch.connect()
    x, labels = samples(CONFIG["count"])
    encoder = LabelEncoder(CONFIG["rare"])
    classes = encoder.fit(labels)
    mine = own_rows(len(x), jax.process_index(), jax.process_count())
    trainer = SoftmaxTrainer(x.shape[1], classes, CONFIG["rate"])
    y = encoder.transform(labels)
    loss = trainer.fit(trainer.rows(x[mine]), trainer.rows(y[mine]), CONFIG["steps"])
    report(loss, trainer.classes)


if __name__ == "__main__":
    main()
