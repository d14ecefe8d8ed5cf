"""Orderly end when the batch system sends its warning signal."""
import os
import signal
import threading


class PreemptionGuard:
    def __init__(self, signum=signal.SIGUSR1):
        self.requested = False
        self.signum = signum
        self.previous = signal.signal(signum, self._handle)

    def _handle(self, signum, frame):
        self.requested = True

    def rehearse(self, seconds):
        """Send the signal to this process after some time, as the batch system would."""
        timer = threading.Timer(seconds, os.kill, (os.getpid(), self.signum))
        timer.daemon = True
        timer.start()
