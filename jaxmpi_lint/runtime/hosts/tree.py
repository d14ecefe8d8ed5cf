"""A tree of monitors: where there are many hosts, some leaves collect what others have before they answer.

The root, or a leaf that leads others, splits them into groups. The first of each group opens a socket (``lead``), the
others connect to it (``follow``), and it waits for them (``gather``) and splits them again if they are still many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.hosts.asking import Answers
from jaxmpi_lint.runtime.hosts.events import Events
from jaxmpi_lint.runtime.hosts.joined import JoinedDeaths, JoinedLedger
from jaxmpi_lint.runtime.hosts.meeting import Offer, Peer
from jaxmpi_lint.runtime.hosts.root import Answer, Root
from jaxmpi_lint.runtime.hosts.sockets import Client, Keys, Server
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.ledger.interface import LedgerReader

_PART = 0.7  # of the time that a leaf has for an answer: for the answers of those that it leads


def split(root: Root, fan_out: int, seconds: float) -> str:
    """Let some leaves lead the others, if there are more than ``fan_out``; the reason if that fails."""
    ranks = {key: one.peer.ranks for key, one in root.connections.items()}
    keys = sorted(ranks, key=lambda key: min(ranks[key]))
    if len(keys) <= fan_out:
        return ""
    size = -(-len(keys) // fan_out)
    leaders = {keys[at]: keys[at + 1 : at + size] for at in range(0, len(keys), size)}
    children = {key: [[[other, ranks[other]] for other in led]] for key, led in leaders.items()}
    led = {other: key for key, others in leaders.items() for other in others}
    reached = root.ask_each("lead", children, seconds)
    following = {other: [key, reached[key].value] for other, key in led.items() if key in reached}
    agreed = root.ask_each("follow", following, seconds)
    gathered = root.ask_each("gather", {key: [fan_out, seconds] for key in leaders}, _longer(seconds, fan_out, keys))
    for key in keys:
        answers = (reached.get(key), gathered.get(key)) if key in leaders else (agreed.get(key),)
        if refusal := next(filter(None, map(_refusal, answers)), ""):
            return f"the host of {wording.ranks(ranks[key])} did not become part of the tree of hosts ({refusal})"
    root.leave_to(leaders)
    return ""


def _refusal(answer: Answer | None) -> str:
    """Why a leaf did not do its part; "" if it did."""
    if answer is None:
        return "no answer"
    return answer.error or (answer.value if isinstance(answer.value, str) else "")


def _longer(seconds: float, fan_out: int, keys: Sequence[str]) -> float:
    """Time for all levels below."""
    levels, led = 1, len(keys)
    while led > fan_out:
        levels, led = levels + 1, led // fan_out
    return seconds * 3 * levels


class Place:
    """The place of a leaf in the tree: the monitors that it answers and leads."""

    def __init__(
        self,
        keys: Keys,
        interface: str,
        book: LedgerReader,
        deaths: Deaths,
        folder: str,
        say: Callable[[str], None],
    ) -> None:
        """``folder``: where the ledger is stored after an error."""
        self._keys, self._interface, self._own, self._deaths = keys, interface, book, deaths
        self._folder, self._say = folder, say
        self._server: Server | None = None
        self._peers: list[Peer] = []
        self.book = book
        self._answers = Answers(book, deaths, folder)
        self.root: Root | None = None  # of those that it leads

    def _lead(self, children: Sequence[tuple[str, Sequence[int]]]) -> Sequence[str]:
        """Open a socket for these leaves, each with its ranks; the addresses. OSError if that fails."""
        self._peers = [Peer(tuple(ranks), Offer(key, (), "", "")) for key, ranks in children]
        if not self._peers:
            return ()
        self._server = Server(self._keys, self._interface)
        self._server.admit([key for key, _ in children])
        return self._server.addresses

    def gather(self, events: Events, fan_out: int, seconds: float) -> str:
        """Wait for them, and answer for them from now on; the reason if that fails."""
        if self._server is None:
            return ""
        root = Root(self._server, self._peers, events, self._say)
        self._server = None
        reason = root.meet(seconds) or split(root, fan_out, seconds)
        if reason:
            root.bye(alone=reason)
            return reason
        joined = JoinedLedger(self._own, root)
        self.root, self.book = root, joined
        self._answers = Answers(joined, JoinedDeaths(self._deaths, joined), self._folder)
        return ""

    def follow(self, key: str, addresses: Sequence[str]) -> Client:
        """The connection to the leaf that leads from now on; OSError if it cannot be reached."""
        return Client(self._keys, key, addresses)

    def answer(self, what: str, arguments: list[Any], seconds: float) -> Any:
        """The answer to a question, in time for who has asked; KeyError if there is no such question."""
        if what == "lead":
            return self._lead(*arguments)
        if self.root is not None:
            self.root.longest = seconds * _PART
        return self._answers.answer(what, arguments)

    def close(self, alone: str) -> None:
        """End; for a reason, if those that it leads are left to themselves."""
        if self.root is not None:
            self.root.bye(alone)
        elif self._server is not None:
            self._server.close()
