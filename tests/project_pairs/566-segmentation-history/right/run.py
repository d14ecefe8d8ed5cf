import sys

import jax

from segment.options import OPTIONS
from segment.start import join


def main():
    join(OPTIONS["port"])
    from segment.loop import TrainLoop

    loop = TrainLoop(OPTIONS)
    with loop:
        for epoch in range(OPTIONS["epochs"]):
            loop.run_epoch(epoch)
    if jax.process_index() == 0:
        print("best epoch", loop.best_epoch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
