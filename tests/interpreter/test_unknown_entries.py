"""Dicts that a file updates, and scripts that end with a status."""

from __future__ import annotations

from interpreter.running import faults

HEAD = "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.rank, comm.size\n"


def test_an_update_by_unknown_entries() -> None:
    text = HEAD + (
        "import json\n"
        "options = {'steps': 3, 'name': 'run'}\n"
        "options.update(json.load(open('options.json')))\n"
        "unknown = set(options) - {'steps', 'name'}\n"
        "if unknown or options.get('extra') or 'other' in options or options.pop('mode', None):\n"
        "    raise ValueError(options['further'], len(options))\n"
        "for name in options:\n"
        "    comm.bcast(options[name])\n"
        "if rank == 0:\n"
        "    comm.Barrier()\n"
    )
    assert ("parted", text.count("\n")) in faults(text)


def test_counts_of_what_a_file_contains() -> None:
    text = HEAD + (
        "import collections\n"
        "counts = collections.Counter(blue=1)\n"
        "counts.update(line.strip() for line in open('colours.txt'))\n"
        "counts.update(['red'])\n"
        "total = comm.reduce(counts['red'] + counts['green'])\n"
    )
    assert faults(text) == set()


def test_the_status_of_a_script_is_no_failure() -> None:
    text = HEAD + (
        "import sys\n"
        "import numpy as np\n"
        "def main():\n"
        "    if rank == 0:\n"
        "        request = comm.Isend(np.ones(2), dest=1)\n"
        "    if rank == 1:\n"
        "        comm.Recv(np.ones(2), source=0)\n"
        "    return 0\n"
        "sys.exit(main())\n"
    )
    assert {kind for kind, _ in faults(text)} == {"request"}


def test_an_item_beyond_the_guessed_length_of_a_list() -> None:
    text = HEAD + (
        "lines = open('settings.txt').read().split()\n"
        "steps = int(lines[5])\n"
        "if rank == 0:\n"
        "    comm.bcast(steps + float(lines[7]))\n"
    )
    assert faults(text) == {("parted", text.count("\n"))}


def test_dimensions_of_a_grid_in_an_array() -> None:
    text = HEAD + (
        "import numpy as np\n"
        "shape = MPI.Compute_dims(size, np.zeros(2, dtype=int))\n"
        "grid = comm.Create_cart(np.array(shape), periods=np.array([True, False]))\n"
        "low, high = grid.Shift(0, 1)\n"
        "if grid.rank == 0:\n"
        "    grid.Barrier()\n"
    )
    assert faults(text) == {("parted", text.count("\n"))}
