"""An interpreter of small worlds: 2 to 4 ranks of a program, executed step by step on the intermediate representation.

Nothing of the program is imported or run. What exists only at run time (files, arguments, unknown calls) is a symbol;
a symbol that is equal on two ranks has the same key there, so a test of it has the same outcome on both. A difference
between ranks therefore follows from ranks, sizes and values that belong to one process, and from nothing else.
"""
