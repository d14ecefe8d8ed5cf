"""Which files are worth parsing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jaxmpi_lint.settings.settings import Settings, Wrapper
from jaxmpi_lint.sources.prefilter import Prefilter


def communicates(text: str, **settings: Any) -> bool:
    return Prefilter(Settings(root=Path(), **settings)).file_may_communicate(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "from mpi4py import MPI",
        "import mpi4jax as m",
        "comm.bcast(x, root=0)",
        "self.comm.Barrier()",
        "get_comm().gather(x)",
        "communicator.send(x, dest=1)",
        "world.Allreduce(a, b)",
        "c.Get_rank()",
        "if jax.process_index() == 0:",
        "multihost_utils.sync_global_devices('a')",
        "jax.distributed.initialize()",
        "f = jax.pmap(g)",
        "jax.lax.psum(x, 'i')",
        "@partial(shard_map, mesh=mesh)",
        "os.environ['JAX_PLATFORMS'] = 'cpu'",
        "os.environ.setdefault('XLA_FLAGS', '')",
        "rank = os.environ['SLURM_PROCID']",
        "f = jax.jit(g)\nfor name in {'a', 'b'}:\n    f(name)",
        "f = jax.jit(g)\nnames = set(d)\n",
        "x = 1  # jaxmpi-lint: ignore[JM101] why",
        "x = 1  # noqa: E501, JM101",
        "a\0b",
    ],
)
def test_communication_is_seen(text: str) -> None:
    assert communicates(text)


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nx = np.gather(a)",
        "f = jax.jit(g)\nfor x in [1, 2]:\n    f(x)",
        "names = set(d)",
        "os.environ['HOME']",
        "common.reduce(x)",
        "parser.add_argument('--command')",
        "def clipmax(x): return x",
        "x = 1  # noqa: E501",
    ],
)
def test_other_files_are_left_out(text: str) -> None:
    assert not communicates(text)


def test_words_of_the_user_count_as_a_whole() -> None:
    assert communicates("if my_rank == 0: pass", rank_names=("my_rank",))
    assert communicates("x = my_sum(y)", wrappers=(Wrapper("tools.my_sum", "mpi4py.MPI.Comm.allreduce"),))
    assert not communicates("x = my_summary(y)", wrappers=(Wrapper("tools.my_sum", "mpi4py.MPI.Comm.allreduce"),))
