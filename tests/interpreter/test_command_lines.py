"""Functions that a library calls with the options of the command line, and options that number the processes."""

from __future__ import annotations

import pytest

from interpreter.running import faults

COMMANDS = {
    "click": (
        "import click\n"
        "@click.command()\n"
        "@click.option('--number', type=int)\n"
        "@click.option('--count', default=2)\n"
        "def main(number, count):\n",
        "main()\nboth()\n",
    ),
    "typer": (
        "import typer\napp = typer.Typer()\n@app.command()\ndef main(number: int, count: int = 2):\n",
        "app()\nboth()\n",
    ),
    "fire": ("import fire\ndef main(number, count=2):\n", "fire.Fire(main)\n"),
    "absl": (
        "from absl import app, flags\n"
        "FLAGS = flags.FLAGS\n"
        "flags.DEFINE_integer('number', 0, 'of this process')\n"
        "COUNT = flags.DEFINE_integer('count', 1, 'of all')\n"
        "def main(argv):\n"
        "    number, count = FLAGS.number, COUNT.value\n",
        "app.run(main)\nboth()\n",
    ),
    "tyro": (
        "import tyro\n"
        "from dataclasses import dataclass\n"
        "@dataclass\n"
        "class Settings:\n"
        "    number: int\n"
        "    count: int = 1\n"
        "def main(settings):\n"
        "    number, count = settings.number, settings.count\n",
        "main(tyro.cli(Settings))\n",
    ),
    "argparse": (
        "import argparse\n"
        "def main():\n"
        "    parser = argparse.ArgumentParser()\n"
        "    parser.add_argument('--number', type=int, default=0)\n"
        "    parser.add_argument('--count', type=int, default=1)\n"
        "    options = parser.parse_args()\n"
        "    number, count = options.number, options.count\n",
        "main()\n",
    ),
    "argv": (
        "import os, sys\ndef main():\n    number, count = int(sys.argv[1]), int(os.environ['COUNT'])\n",
        "main()\n",
    ),
}


@pytest.mark.parametrize("library", COMMANDS)
def test_number_of_the_process(library: str) -> None:
    head, call = COMMANDS[library]
    text = (
        "import jax\n"
        "from jax.experimental.multihost_utils import sync_global_devices\n"
        "def both():\n"
        "    sync_global_devices('both' if jax.process_index() else 'other')\n"
        f"{head}"
        "    jax.distributed.initialize('localhost:1234', count, number)\n"
        "    sync_global_devices('start')\n"
        "    if number == count - 1:\n"
        "        sync_global_devices('last')\n"
        f"if __name__ == '__main__':\n"
    )
    row = text.count("\n") - 1
    for line in call.splitlines():
        text += f"    {line}\n"
    assert faults(text) == {("parted", row)}


def test_a_group_of_commands() -> None:
    text = (
        "import click\n"
        "from mpi4py import MPI\n"
        "comm = MPI.COMM_WORLD\n"
        "@click.group()\n"
        "@click.option('--debug/--no-debug', default=False)\n"
        "def commands(debug):\n"
        "    comm.barrier()\n"
        "@commands.command()\n"
        "@click.argument('steps', type=int)\n"
        "def train(steps):\n"
        "    for step in range(comm.rank):\n"
        "        comm.allreduce(step)\n"
        "@commands.command\n"
        "def check():\n"
        "    if comm.rank == 0:\n"
        "        comm.gather(0)\n"
        "commands()\n"
    )
    assert {row for _, row in faults(text)} == {12, 16}


def test_settings_of_a_file() -> None:
    text = (
        "import hydra\n"
        "from mpi4py import MPI\n"
        "@hydra.main(config_path='conf')\n"
        "def main(settings):\n"
        "    if settings.check and MPI.COMM_WORLD.rank == 0:\n"
        "        MPI.COMM_WORLD.bcast(settings.steps)\n"
        "main()\n"
    )
    assert faults(text) == {("parted", 6)}
