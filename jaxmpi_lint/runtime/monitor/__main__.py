"""Entry point of a process: ``python -m jaxmpi_lint.runtime.monitor``."""

import sys

from jaxmpi_lint.runtime.monitor.beginning import main

sys.exit(main(sys.argv[1:]))
