"""Ways to start a job: wrong ones with what must be said about them, and right ones.

A program has `rank` and `size`, from the launcher or, plain, from the test; `a` and `b` are free addresses of this
host. `began()` is `jax.distributed.initialize` with a timeout of eight seconds, and prints when it is called.
"""

from __future__ import annotations

from dataclasses import dataclass

PLAIN, SLURM, MPIRUN = "plain", "slurm", "mpirun"
VARIABLES = {PLAIN: ("PROCESS", "PROCESSES"), SLURM: ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")}

PRELUDE = """\
import os, sys, time
from functools import partial
rank, size = int(os.environ["RANK_NAME"]), int(os.environ["SIZE_NAME"])
a, b = os.environ["ADDRESS"], os.environ["OTHER"]
def began():
    import jax
    print("began", time.time(), flush=True)
    return partial(jax.distributed.initialize, initialization_timeout=8)
"""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong way to start a job."""

    name: str
    way: str
    text: str
    code: str
    says: tuple[str, ...]  # in the message or the notes
    processes: int = 2
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Right:
    """A right way; its processes exit with 0."""

    name: str
    way: str
    text: str
    processes: int = 2
    quick: bool = False


NOT_ALL = "import jax\nif rank == 1:\n    time.sleep(14)\n    sys.exit()\nbegan()(a, 2, rank)  # here\n"

WRONG = (
    Wrong("missing-call", PLAIN, NOT_ALL, "JS511",
          ("process 0 waits", "for process 1", "has imported jax and has not called")),
    Wrong("ids-alike", PLAIN, "began()(a, 3, min(rank, 1))  # here\n", "JS509",
          ("2 processes of one job pass process_id=1",), 3, quick=True),
    Wrong("different-numbers", PLAIN, "began()(a, 2 + rank, rank)  # here\n", "JS509", ("num_processes=2 and 3",)),
    Wrong("different-addresses", PLAIN, "began()((a, b)[rank], 2, rank)  # here\n", "JS511",
          ("process 0 waits", "process 1 waits at a different coordinator")),
    Wrong("nobody-listens", PLAIN, "began()(a, 3, rank + 1)  # here\n", "JS511",
          ("processes 1 and 2 wait", "for process 0", "no process listens on port")),
    Wrong("raises-before", PLAIN,
          "import jax\nif rank == 1:\n    raise ValueError('no data')\nbegan()(a, 2, rank)  # here\n", "JS511",
          ("for process 1", "raised ValueError: no data"), quick=True),
    Wrong("id-out-of-range", PLAIN, "began()(a, 2, 2 * rank)  # here\n", "JS511",
          ("process_id=2", "raised ValueError: process_id and num_processes must be")),
    Wrong("slurm-missing-call", SLURM, NOT_ALL.removeprefix("import jax\n"), "JS511",
          ("for process 1", "rank 1 of the launcher has not yet imported jax")),
    Wrong("slurm-too-many", SLURM, "began()(a, 3, rank)  # here\n", "JS511",
          ("for process 2", "num_processes is 3, but the launcher started 2 processes"), quick=True),
    Wrong("slurm-killed-before", SLURM, "if rank == 1:\n    os.kill(os.getpid(), 9)\nbegan()(a, 2, rank)  # here\n",
          "JS511", ("for process 1", "rank 1 of the launcher has ended without a call")),
    Wrong("slurm-ids-alike", SLURM, "began()(a, 2, 0)  # here\n", "JS509",
          ("2 processes of one job pass process_id=0",)),
    Wrong("mpirun-missing-call", MPIRUN, NOT_ALL, "JS511",
          ("for process 1", "rank 1 of the launcher has imported jax and not called")),
    Wrong("mpirun-ids-alike", MPIRUN, "began()(a, 3, min(rank, 1))  # here\n", "JS509",
          ("2 processes of one job pass process_id=1",), 3),
    Wrong("mpirun-exits-before", MPIRUN, "import jax\nif rank == 1:\n    sys.exit()\nbegan()(a, 2, rank)  # here\n",
          "JS510", ("for process 1, which has ended: it reached its end",), quick=True),
    Wrong("mpirun-different-addresses", MPIRUN, "began()((a, b)[rank], 2, rank)  # here\n", "JS511",
          ("process 1 waits at a different coordinator",)),
)  # fmt: skip

USED = "import jax\nassert jax.process_count() == {} and jax.device_count() == {}\n"

RIGHT = (
    Right("all-at-once", PLAIN, "began()(a, 2, rank)\n" + USED.format(2, 2), quick=True),
    Right("slow-starter", PLAIN,
          "import jax\ntime.sleep(20 * rank)\njax.distributed.initialize(a, 2, rank)\n" + USED.format(2, 2)),
    Right("slow-first", SLURM,
          "time.sleep(20 - 20 * rank)\nimport jax\njax.distributed.initialize(a, 2, rank)\n" + USED.format(2, 2)),
    Right("retry", PLAIN,
          "import jax\nfor index in (7, rank):\n    try:\n        began()(a, 2, index)\n"
          "    except ValueError:\n        time.sleep(6 * rank)\n" + USED.format(2, 2)),
    Right("again-after-shutdown", PLAIN,
          "import jax\nfor address in (a, b):\n    jax.distributed.initialize(address, 2, rank)\n"
          "    jax.distributed.shutdown()\n"),
    Right("restarted-by-itself", PLAIN,
          "import jax\nif rank == 1 and 'AGAIN' not in os.environ:\n    import subprocess\n"
          "    os.environ['AGAIN'] = '1'\n    time.sleep(5)\n"
          "    sys.exit(subprocess.call([sys.executable, __file__]))\nbegan()(a, 2, rank)\n" + USED.format(2, 2)),
    Right("restarted-rank", MPIRUN,
          "import jax, subprocess\nif 'AGAIN' not in os.environ:\n    os.environ['AGAIN'] = 'x'\n"
          "    command = [sys.executable, __file__]\n"
          "    sys.exit(subprocess.call(command) and subprocess.call(command, env=os.environ | {'AGAIN': 'yes'}))\n"
          "if rank == 1 and os.environ['AGAIN'] == 'x':\n    sys.exit(1)\nbegan()(a, 2, rank)\n" + USED.format(2, 2)),
    Right("half-of-the-ranks", MPIRUN,
          "import jax\nif rank % 2 == 0:\n    time.sleep(rank)\n    jax.distributed.initialize(a, 2, rank // 2)\n"
          "    assert jax.process_count() == 2\n    time.sleep(4)\n", 4),
    Right("two-jobs-under-one-launcher", MPIRUN,
          "import jax\ntime.sleep(rank)\njax.distributed.initialize((a, b)[rank % 2], 2, rank // 2)\n"
          "assert jax.process_count() == 2\n", 4),
    Right("other-ids-than-ranks", MPIRUN, "began()(a, 2, 1 - rank)\n" + USED.format(2, 2)),
)  # fmt: skip
