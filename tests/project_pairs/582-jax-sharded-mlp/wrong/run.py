"""Start once per process with COORDINATOR, NUM_PROCESSES and PROCESS_ID set."""
import logging

import cluster


def main():
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    for name in ("trainer", "store"):
        logging.getLogger(name).setLevel(logging.INFO)
    cluster.start()
    from trainer import TrainConfig, Trainer
    final = Trainer(TrainConfig()).fit()
    if cluster.chief():
        print(f"final loss {final:.5f}")


if __name__ == "__main__":
    main()
