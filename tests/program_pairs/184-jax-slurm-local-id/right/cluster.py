"""Start of jax.distributed from the variables that Slurm sets for each task."""
import os
import re
from dataclasses import dataclass

import jax


@dataclass(frozen=True)
class Job:
    coordinator: str
    tasks: int
    task: int


def first_host(nodelist):
    """First host of a Slurm node list such as gpu[003-006,011] or gpu003,gpu004."""
    m = re.match(r"([^,\[]+)(?:\[(\d+))?", nodelist)
    return m.group(1) + (m.group(2) or "")


def slurm_job(port=None):
    env = os.environ
    port = port or 12000 + int(env["SLURM_JOB_ID"]) % 4096
    return Job(
        coordinator=f"{first_host(env['SLURM_STEP_NODELIST'])}:{port}",
        tasks=int(env["SLURM_NTASKS"]),
        task=int(env["SLURM_PROCID"]),
    )


def start():
    job = slurm_job()
    jax.distributed.initialize(
        coordinator_address=job.coordinator,
        num_processes=job.tasks,
        process_id=job.task,
        initialization_timeout=30,
    )
    return job
