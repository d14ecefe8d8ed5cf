"""The helpers of jax.experimental.multihost_utils, used as in their documentation."""

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import PartitionSpec
from job import MESH, NUMBER, SPLIT, told

multihost_utils.sync_global_devices("begin")
seed = multihost_utils.broadcast_one_to_all(np.int32(7 + NUMBER))
told("seed", seed)
told("all", multihost_utils.process_allgather({"loss": np.float32(NUMBER), "hits": np.arange(3) + NUMBER})["hits"])
rows = multihost_utils.host_local_array_to_global_array(
    np.full((2, 3), NUMBER, np.float32), MESH, PartitionSpec("data")
)
told("sum", jax.jit(lambda rows: rows.sum())(rows))
told("own", multihost_utils.global_array_to_host_local_array(rows, MESH, PartitionSpec("data")))
told("rows", multihost_utils.process_allgather(rows, tiled=True))
multihost_utils.assert_equal(seed, "seeds differ")
made = jax.make_array_from_callback((8,), SPLIT, lambda index: np.arange(8.0, dtype=np.float32)[index])
told("made", multihost_utils.process_allgather(made, tiled=True))
multihost_utils.sync_global_devices("end")
