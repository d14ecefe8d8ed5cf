"""Safra's termination detection.

balance = messages sent - received by this rank.  The token goes round
0 -> size-1 -> ... -> 1 -> 0 and adds up the balances; a rank that received
work since the token's last visit is black and blackens the token."""

TAG_TOKEN, TAG_HALT = 2, 3
WHITE, BLACK = 0, 1


class Termination:
    def __init__(self, comm):
        self.comm = comm
        self.balance = 0
        self.color = WHITE
        self.next = (comm.rank - 1) % comm.size
        self.token = None
        self.pending = []
        # rank 0 starts as if an unsuccessful token had just come back
        if comm.rank == 0:
            self.token = (0, BLACK)

    def sent(self):
        self.balance += 1

    def received(self):
        self.balance -= 1
        self.color = BLACK

    def hold(self, token):
        self.token = token

    def idle_step(self):
        """Called when passive.  Returns True on rank 0 at termination."""
        if self.token is None:
            return False
        if self.comm.size == 1:
            return True
        count, color = self.token
        self.token = None
        if self.comm.rank == 0:
            if color == WHITE and self.color == WHITE and count + self.balance == 0:
                return True
            outgoing = (0, WHITE)
        else:
            outgoing = (count + self.balance, BLACK if self.color == BLACK else color)
        self.color = WHITE
        self._flush()
        self.pending.append(self.comm.isend(outgoing, dest=self.next, tag=TAG_TOKEN))
        return False

    def _flush(self):
        # the earlier tokens have gone round, their sends are complete
        for request in self.pending:
            request.wait()
        self.pending.clear()

    def halt(self):
        """Rank 0 tells the ring; every rank passes the message on."""
        self._flush()
        if self.comm.rank < self.comm.size - 1:
            self.comm.send(None, dest=self.comm.rank + 1, tag=TAG_HALT)
