"""The command line: from arguments to runs, and from runs to output and an exit status."""
