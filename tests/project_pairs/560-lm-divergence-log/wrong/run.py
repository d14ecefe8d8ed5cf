import logging
import os
import sys

import distributed
from monitor import TrainingMonitor
from settings import SETTINGS


def configure_logging(main):
    logging.basicConfig(
        stream=sys.stdout,
        level=logging.INFO if main else logging.WARNING,
        format="%(name)s: %(message)s",
    )
    logging.getLogger("jax").setLevel(logging.ERROR)


def main():
    distributed.join(os.environ.get("LM_COORDINATOR", "127.0.0.1:23460"))
    configure_logging(distributed.is_main())

    from lm import BigramTrainer

    monitor = TrainingMonitor(every=SETTINGS["log_every"], window=SETTINGS["window"])
    trainer = BigramTrainer(SETTINGS, monitor)
    final = trainer.train()
    logging.getLogger("lm").info("final loss %.4f after %d steps", final, trainer.step)
    return 0


if __name__ == "__main__":
    sys.exit(main())
