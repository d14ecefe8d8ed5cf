"""Processes, global arrays and axis collectives of JAX.

Written by tools/generate_library_tables.py; do not edit.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from jaxmpi_lint.library.rows import Rows

ROWS: Rows = {
    "jax.block_until_ready": (("local", "x", "result=arguments"),),
    "jax.clear_caches": (("local", "", "result=arguments"),),
    "jax.default_backend": (("backend", "", "result=same"),),
    "jax.device_count": (("backend", "backend=None", "result=same"),),
    "jax.device_get": (("local", "x", "result=arguments"),),
    "jax.device_put": (("backend", "x device=None * src=None donate=False may_alias=None", "result=unknown"),),
    "jax.devices": (("backend", "backend=None", "result=same"),),
    "jax.distributed.global_state.client.blocking_key_value_get": (("local", "key timeout_in_ms", "result=unknown"),),
    "jax.distributed.global_state.client.blocking_key_value_get_bytes": (("local", "key timeout_in_ms", "result=unknown"),),
    "jax.distributed.global_state.client.wait_at_barrier": (("collective", "barrier_id timeout_in_ms process_ids=None", "communicator=processes"),),
    "jax.distributed.initialize": (("initialize", "coordinator_address=None num_processes=None process_id=None local_device_ids=None cluster_detection_method=None initialization_timeout=300 heartbeat_timeout_seconds=100 shutdown_timeout_seconds=300 coordinator_bind_address=None slice_index=None partition_index=None", "communicator=processes"),),
    "jax.distributed.is_initialized": (("query", "", "result=same"),),
    "jax.distributed.shutdown": (("finalize", "", "communicator=processes"),),
    "jax.effects_barrier": (("effects-barrier", "", ""),),
    "jax.experimental.mesh_utils.create_device_mesh": (("backend", "mesh_shape devices=None * contiguous_submeshes=False allow_split_physical_axes=False", "result=same"),),
    "jax.experimental.mesh_utils.create_hybrid_device_mesh": (("backend", "mesh_shape dcn_mesh_shape devices=None * process_is_granule=False should_sort_granules_by_key=True allow_split_physical_axes=False", "result=same"),),
    "jax.experimental.multihost_utils.assert_equal": (("collective", "in_tree fail_message=''", "communicator=processes sends=in_tree"),),
    "jax.experimental.multihost_utils.broadcast_one_to_all": (("collective", "in_tree is_source=None", "communicator=processes sends=in_tree result=same"),),
    "jax.experimental.multihost_utils.global_array_to_host_local_array": (("backend", "global_inputs global_mesh pspecs", "result=own"),),
    "jax.experimental.multihost_utils.host_local_array_to_global_array": (("backend", "local_inputs global_mesh pspecs", "result=global-array"),),
    "jax.experimental.multihost_utils.live_devices": (("collective", "devices", "communicator=processes result=same"),),
    "jax.experimental.multihost_utils.process_allgather": (("collective", "in_tree tiled=False", "communicator=processes sends=in_tree result=same"),),
    "jax.experimental.multihost_utils.reached_preemption_sync_point": (("collective", "step_id", "communicator=processes result=same"),),
    "jax.experimental.multihost_utils.sync_global_devices": (("collective", "name", "communicator=processes"),),
    "jax.host_count": (("query", "backend=None", "communicator=processes result=size"),),
    "jax.host_id": (("query", "backend=None", "communicator=processes result=rank"),),
    "jax.host_ids": (("backend", "backend=None", "result=same"),),
    "jax.lax.all_gather": (("axis-collective", "x axis_name * axis_index_groups=None axis=0 tiled=False to='varying'", "axis=axis_name sends=x result=same"),),
    "jax.lax.all_to_all": (("axis-collective", "x axis_name split_axis concat_axis * axis_index_groups=None tiled=False", "axis=axis_name sends=x result=own"),),
    "jax.lax.axis_index": (("query", "axis_name", "axis=axis_name result=rank"),),
    "jax.lax.axis_size": (("query", "axis_name", "axis=axis_name result=size"),),
    "jax.lax.pbroadcast": (("axis-collective", "x axis_name source", "source=source axis=axis_name sends=x result=same"),),
    "jax.lax.pcast": (("local", "x axis_name * to", "axis=axis_name result=arguments"),),
    "jax.lax.pmax": (("axis-collective", "x axis_name * axis_index_groups=None", "axis=axis_name sends=x result=same"),),
    "jax.lax.pmean": (("axis-collective", "x axis_name * axis_index_groups=None", "axis=axis_name sends=x result=same"),),
    "jax.lax.pmin": (("axis-collective", "x axis_name * axis_index_groups=None", "axis=axis_name sends=x result=same"),),
    "jax.lax.ppermute": (("axis-collective", "x axis_name perm", "axis=axis_name sends=x result=own"),),
    "jax.lax.precv": (("axis-collective", "token out_shape axis_name perm", "axis=axis_name result=own"),),
    "jax.lax.psend": (("axis-collective", "x axis_name perm", "axis=axis_name sends=x result=own"),),
    "jax.lax.pshuffle": (("axis-collective", "x axis_name perm", "axis=axis_name sends=x result=own"),),
    "jax.lax.psum": (("axis-collective", "x axis_name * axis_index_groups=None", "axis=axis_name sends=x result=same"),),
    "jax.lax.psum_scatter": (("axis-collective", "x axis_name * scatter_dimension=0 axis_index_groups=None tiled=False", "axis=axis_name sends=x result=own"),),
    "jax.lax.pswapaxes": (("axis-collective", "x axis_name axis * axis_index_groups=None", "axis=axis_name sends=x result=own"),),
    "jax.lax.pvary": (("local", "x axis_name", "axis=axis_name result=arguments"),),
    "jax.lax.ragged_all_to_all": (("axis-collective", "operand output input_offsets send_sizes output_offsets recv_sizes * axis_name axis_index_groups=None", "axis=axis_name sends=operand result=own"),),
    "jax.live_arrays": (("backend", "platform=None", "result=unknown"),),
    "jax.local_device_count": (("backend", "backend=None", "result=unknown"),),
    "jax.local_devices": (("backend", "process_index=None backend=None host_id=None", "result=own"),),
    "jax.make_array_from_callback": (("backend", "shape sharding data_callback dtype=None", "result=global-array"),),
    "jax.make_array_from_process_local_data": (("backend", "sharding local_data global_shape=None", "result=global-array"),),
    "jax.make_array_from_single_device_arrays": (("backend", "shape sharding arrays * dtype=None", "result=global-array"),),
    "jax.make_mesh": (("backend", "axis_shapes axis_names axis_types=None * devices=None", "result=same"),),
    "jax.process_count": (("query", "backend=None", "communicator=processes result=size"),),
    "jax.process_index": (("query", "backend=None", "communicator=processes result=rank"),),
    "jax.process_indices": (("backend", "backend=None", "result=same"),),
    "jax.sharding.Mesh": (("local", "devices axis_names axis_types=None", "result=arguments"),),
    "jax.sharding.NamedSharding": (("local", "mesh spec * memory_kind=None", "result=arguments"),),
    "jax.sharding.PartitionSpec": (("local", "*", "result=arguments"),),
}

BACKEND: frozenset[str] = frozenset(
    {
        "jax.debug.callback",
        "jax.debug.print",
        "jax.default_backend",
        "jax.device_count",
        "jax.device_put",
        "jax.device_put_replicated",
        "jax.device_put_sharded",
        "jax.devices",
        "jax.dlpack.from_dlpack",
        "jax.experimental.io_callback",
        "jax.experimental.mesh_utils.create_device_mesh",
        "jax.experimental.mesh_utils.create_hybrid_device_mesh",
        "jax.experimental.multihost_utils.assert_equal",
        "jax.experimental.multihost_utils.broadcast_one_to_all",
        "jax.experimental.multihost_utils.global_array_to_host_local_array",
        "jax.experimental.multihost_utils.host_local_array_to_global_array",
        "jax.experimental.multihost_utils.process_allgather",
        "jax.experimental.multihost_utils.reached_preemption_sync_point",
        "jax.experimental.multihost_utils.sync_global_devices",
        "jax.extend.backend.get_backend",
        "jax.get_backend",
        "jax.host_count",
        "jax.host_id",
        "jax.host_ids",
        "jax.live_arrays",
        "jax.local_device_count",
        "jax.local_devices",
        "jax.make_array_from_callback",
        "jax.make_array_from_process_local_data",
        "jax.make_array_from_single_device_arrays",
        "jax.make_mesh",
        "jax.print_environment_info",
        "jax.process_count",
        "jax.process_index",
        "jax.process_indices",
        "jax.profiler.start_server",
        "jax.profiler.start_trace",
        "jax.profiler.trace",
        "jax.pure_callback",
    }
)

BACKEND_MODULES: frozenset[str] = frozenset(
    {
        "jax.image.",
        "jax.lax.",
        "jax.nn.",
        "jax.numpy.",
        "jax.ops.",
        "jax.random.",
        "jax.scipy.",
    }
)

BACKEND_FREE_MODULES: frozenset[str] = frozenset(
    {
        "jax.image.ResizeMethod",
        "jax.lax.Precision",
        "jax.nn.initializers.",
        "jax.numpy.index_exp",
        "jax.numpy.s_",
    }
)

BACKEND_FREE: frozenset[str] = frozenset(
    {
        "jax.lax.ConvDimensionNumbers",
        "jax.lax.GatherDimensionNumbers",
        "jax.lax.ScatterDimensionNumbers",
        "jax.lax.broadcast_shapes",
        "jax.lax.conv_dimension_numbers",
        "jax.lax.dtype",
        "jax.lax.stop_gradient",
        "jax.numpy.broadcast_shapes",
        "jax.numpy.can_cast",
        "jax.numpy.dtype",
        "jax.numpy.einsum_path",
        "jax.numpy.finfo",
        "jax.numpy.frompyfunc",
        "jax.numpy.get_printoptions",
        "jax.numpy.iinfo",
        "jax.numpy.iscomplexobj",
        "jax.numpy.isscalar",
        "jax.numpy.issubdtype",
        "jax.numpy.ndarray",
        "jax.numpy.ndim",
        "jax.numpy.printoptions",
        "jax.numpy.promote_types",
        "jax.numpy.result_type",
        "jax.numpy.save",
        "jax.numpy.savez",
        "jax.numpy.set_printoptions",
        "jax.numpy.shape",
        "jax.numpy.size",
        "jax.numpy.ufunc",
        "jax.numpy.vectorize",
    }
)
