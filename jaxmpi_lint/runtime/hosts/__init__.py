"""The monitors of the hosts of one MPI job: they find each other, and one of them judges the ranks of all hosts.

The monitor on the host of world rank 0, the root, asks the others, the leaves, for what their ledgers hold. No rank
sends a message for this, and no call between MPI_Init, in which the first rank of each host waits for the others, and
MPI_Finalize waits for the network.
"""
