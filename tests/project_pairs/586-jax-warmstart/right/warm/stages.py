import logging

import jax
import numpy as np

from .artifacts import StageArtifacts
from .logistic import dataset, fit

log = logging.getLogger("warm")


def teacher(config):
    x, y = dataset(config, flip=0.2)
    start = np.zeros(config.features, "f4")
    weights, value = fit(start, x, y, config.teacher_steps, config.rate)
    StageArtifacts(config, "teacher").publish(weights, {"loss": value})


def student(config):
    source = StageArtifacts(config, "teacher")
    x, y = dataset(config, flip=0.02)
    weights, value = fit(source.weights(), x, y, config.student_steps, config.rate)
    if jax.process_index() == 0:
        log.info("teacher loss %.4f, student loss %.4f", source.summary()["loss"], value)
    StageArtifacts(config, "student").publish(weights, {"loss": value})
    return value
