"""The runtime sanitizer: switched on by ``JAXMPI_SANITIZE=1``, it watches the communication of every rank as it happens."""
