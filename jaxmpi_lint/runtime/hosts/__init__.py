"""The monitors of the hosts of one MPI job: they find each other, and one of them judges the ranks of all hosts.

The monitor on the host of world rank 0, the root, asks the others, the leaves, for what their ledgers hold. No rank
sends or receives anything for this, and none waits for the network, except, for a bounded time, in MPI_Finalize.
"""
