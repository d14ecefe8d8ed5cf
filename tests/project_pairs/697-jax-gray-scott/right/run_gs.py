"""Gray-Scott reaction-diffusion with rows spread over all processes."""
import argparse
import logging

from grayscott.config import GSConfig
from grayscott.distributed import Processes
from grayscott.model import GrayScott
from grayscott.outputs import RunFolder, ShardWriter, merge
from grayscott.report import describe


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--process-id", type=int, default=0)
    ap.add_argument("--num-processes", type=int, default=1)
    ap.add_argument("--coordinator", default="localhost:12705")
    ap.add_argument("--cells", type=int, default=48)
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--save-every", type=int, default=100)
    ap.add_argument("--runs", default="runs")
    a = ap.parse_args()
    procs = Processes(a.coordinator, a.num_processes, a.process_id)
    logging.basicConfig(format="%(message)s",
                        level=logging.INFO if procs.index == 0 else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.WARNING)
    cfg = GSConfig(cells=a.cells, steps=a.steps, save_every=a.save_every)
    cfg.validate(procs.count)

    folder = RunFolder.create(procs, a.runs, "gs")
    writer = ShardWriter(procs, folder)
    model = GrayScott(cfg, procs)
    for step in range(1, cfg.steps + 1):
        model.step()
        if step % cfg.save_every == 0 or step == cfg.steps:
            writer.save(step, model.state)
    procs.barrier("written")
    if procs.index == 0:
        for step in writer.steps:
            logging.info("%s", describe(step, merge(folder, step, procs.count)))
    procs.close()


if __name__ == "__main__":
    main()
