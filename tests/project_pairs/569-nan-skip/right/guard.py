import contextlib


class BadBatch(RuntimeError):
    pass


class BatchGuard:
    """Counts batches that could not be used, and gives up after too many."""

    def __init__(self, limit):
        self.limit = limit
        self.skipped = 0

    @contextlib.contextmanager
    def watch(self, epoch, number):
        try:
            yield
        except FloatingPointError as err:
            self.skipped += 1
            if self.skipped > self.limit:
                raise
            raise BadBatch(f"epoch {epoch} batch {number} left out: {err}") from err
