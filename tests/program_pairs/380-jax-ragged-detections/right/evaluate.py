"""Evaluate a blob detector, images are divided among the processes."""
import os

import jax
import numpy as np

from evaldet.detector import detect, make_image
from evaldet.gather import collect_boxes

IMAGES = 12


def main():
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR"],
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
    )
    mine = []
    for k in range(jax.process_index(), IMAGES, jax.process_count()):
        image, truth = make_image(k)
        for score, y, x in detect(image):
            hit = np.min(np.hypot(truth[:, 0] - y, truth[:, 1] - x)) < 3.0
            mine.append((k, score, float(hit)))
    local = np.array(mine, dtype=np.float32).reshape(-1, 3)

    boxes = collect_boxes(local)
    order = np.argsort(-boxes[:, 1])
    precision = np.cumsum(boxes[order, 2]) / np.arange(1, len(boxes) + 1)
    if jax.process_index() == 0:
        print(f"{len(boxes)} boxes from {len(set(boxes[:, 0]))} images, "
              f"precision {precision[-1]:.3f}")


if __name__ == "__main__":
    main()
