"""``python -m jaxmpi_lint``."""

from __future__ import annotations

import sys

from jaxmpi_lint.cli import main

sys.exit(main())
