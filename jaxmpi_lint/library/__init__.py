"""Facts about the calls of the supported libraries, as data.

Operations with their parameters (``*_table``, ``mpi4py_communicators``, ``mpi4py_objects``), transforms and aliases are
generated from ``tools/library`` and from the signatures of the releases. Facts about single functions for one analysis
(which of them keep a dtype, divide an array, end a process) are handwritten in the packages ``jax``, ``mpi`` and
``python``, in modules by subject, each of which names the documentation of its facts.
"""
