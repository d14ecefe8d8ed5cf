import argparse

import jax

from .loop import Config, TrainLoop


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", required=True)
    p.add_argument("--nprocs", type=int, required=True)
    p.add_argument("--pid", type=int, required=True)
    p.add_argument("--steps", type=int, default=30)
    a = p.parse_args()
    jax.distributed.initialize(coordinator_address=a.coordinator,
                               num_processes=a.nprocs, process_id=a.pid)
    loop = TrainLoop(Config(steps=a.steps))
    summary = loop.run()
    if jax.process_index() == 0:
        print("summary:", {k: round(v, 4) for k, v in summary.items()})
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
