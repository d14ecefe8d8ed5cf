import errno
import os
import time


class FileLock:
    def __init__(self, path, poll=0.01):
        self.path, self.poll, self.fd = path, poll, None

    def __enter__(self):
        while True:
            try:
                self.fd = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
                os.write(self.fd, str(os.getpid()).encode())
                return self
            except OSError as e:
                if e.errno != errno.EEXIST:
                    raise
            time.sleep(self.poll)

    def __exit__(self, *exc):
        os.close(self.fd)
        os.unlink(self.path)
