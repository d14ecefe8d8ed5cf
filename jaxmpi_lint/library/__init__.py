"""What the calls of the supported libraries do, as data.

Operations with their parameters (``*_table``, ``mpi4py_communicators``, ``mpi4py_objects``), transforms and aliases are
generated from ``tools/library`` and from the signatures of the releases. What single functions mean for one analysis
(which of them keep a dtype, divide an array, end a process) is written by hand in the packages ``jax``, ``mpi``
and ``python``, in modules by subject, each of which says where the facts are documented.
"""
