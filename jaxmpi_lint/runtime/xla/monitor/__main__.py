"""Entry point of a process: ``python -m jaxmpi_lint.runtime.xla.monitor``."""

import sys

from jaxmpi_lint.runtime.xla.monitor.monitor import main

sys.exit(main(sys.argv[1:]))
