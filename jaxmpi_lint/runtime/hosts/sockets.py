"""Sockets between monitors: ZeroMQ, encrypted by CURVE, open only to the keys that the job itself has exchanged.

CURVE alone admits every client that knows the server's public key (ZeroMQ RFC 26), so the server has a list of clients.
"""

from __future__ import annotations

import hashlib
import socket
import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.runtime.hosts.meeting import private

if TYPE_CHECKING:
    import zmq

_SIOCGIFADDR = 0x8915
_TRY = 0.5  # seconds for a connection to one address
_LINGER = 500  # milliseconds for the last messages
_HEARTBEAT, _SILENCE = 1000, 5000  # milliseconds
_MISSING = "pyzmq is not installed: pip install 'jaxmpi-lint[mpi]'"


def problem() -> str:
    """Why there can be no such sockets; "" if there can."""
    try:
        import zmq
        from zmq.auth.thread import ThreadAuthenticator  # noqa: F401
    except ImportError:
        return _MISSING
    return "" if zmq.has("curve") else "pyzmq was built without CURVE"


class Keys:
    """A pair of keys of CURVE."""

    def __init__(self, pair: tuple[bytes, bytes] | None = None) -> None:
        """``pair``: the public and the secret key; by default new ones."""
        import zmq

        self.public, self.secret = pair or zmq.curve_keypair()

    @classmethod
    def kept(cls, path: Path) -> Keys:
        """Those in a file that only this user can read: a monitor that is started again has the keys of the first."""
        try:
            public, secret = path.read_bytes().split()
        except (OSError, ValueError):
            made = cls()
            with open(path, "wb", opener=private) as file:
                file.write(b"%s\n%s\n" % (made.public, made.secret))
            return made
        return cls((public, secret))

    @property
    def name(self) -> str:
        """The public key in hexadecimal digits."""
        return hexadecimal(self.public)


def hexadecimal(key: bytes) -> str:
    """A key of ZeroMQ (Z85) in hexadecimal digits, which every name service takes."""
    from zmq.utils import z85

    return z85.decode(key).hex()


def from_hexadecimal(name: str) -> bytes:
    """The reverse; ValueError if it is not a key."""
    from zmq.utils import z85

    raw = bytes.fromhex(name)
    if len(raw) != 32:
        raise ValueError("not a key")
    return z85.encode(raw)


class _Admitted:
    """The keys of clients that are let in, as the authenticator asks for them."""

    def __init__(self) -> None:
        self.keys: frozenset[bytes] = frozenset()

    def callback(self, _domain: str, key: str | bytes) -> bool:
        return (key.encode() if isinstance(key, str) else key) in self.keys


class Server:
    """The socket of the root."""

    def __init__(self, keys: Keys, interface: str, port: int = 0) -> None:
        """OSError if the interface has no address, or the port is taken; 0: any port."""
        import zmq
        from zmq.auth.thread import ThreadAuthenticator

        hosts = list(dict.fromkeys(addresses(interface)))
        if not hosts:
            raise OSError(f"interface={interface}: no address" if interface else "this host has no address")
        self._context: zmq.Context[Any] = zmq.Context()
        self._admitted = _Admitted()
        self._authenticator = ThreadAuthenticator(self._context)
        self._authenticator.start()
        self._authenticator.configure_curve_callback(domain="*", credentials_provider=self._admitted)
        self.socket: zmq.Socket[bytes] = self._context.socket(zmq.ROUTER)
        _prepare(self.socket, keys)
        self.socket.curve_server = True
        self.socket.router_handover = True
        try:
            self.socket.bind(f"tcp://{hosts[0] if interface else '*'}:{port or '*'}")
        except zmq.ZMQError as error:
            raise OSError(f"no port can be opened for the monitors of other hosts: {error}") from None
        self.port = int(bytes(self.socket.getsockopt(zmq.LAST_ENDPOINT)).decode().rstrip("\0").rpartition(":")[2])
        self.addresses = tuple(f"{host}:{self.port}" for host in hosts)

    def admit(self, names: Collection[str]) -> None:
        """Let clients with these public keys in."""
        self._admitted.keys = frozenset(map(from_hexadecimal, names))

    def receive(self) -> Iterator[tuple[str, bytes, bytes]]:
        """The messages that are there: the key of the client, its address on the socket, and the message."""
        import zmq

        while True:
            try:
                frames = self.socket.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            key = str(frames[-1].get("User-Id"))  # the authenticator names clients by their keys
            yield hexadecimal(key.encode()), frames[0].bytes, frames[-1].bytes

    def send(self, address: bytes, message: bytes) -> None:
        """Send a message, if the client can take it now."""
        import zmq

        with suppress(zmq.Again):
            self.socket.send_multipart([address, message], zmq.NOBLOCK)

    def close(self) -> None:
        """Send what is left, and end."""
        self.socket.close(_LINGER)
        self._authenticator.stop()
        self._context.term()


class Client:
    """The socket of a leaf."""

    def __init__(self, keys: Keys, server: str, hosts: Sequence[str]) -> None:
        """``server``: its public key. OSError if none of its addresses can be reached."""
        import zmq

        reached = next((address for address in hosts if _answers(address)), None)
        if reached is None:
            raise OSError(f"the monitor of the first host cannot be reached at {', '.join(hosts)}")
        self._context: zmq.Context[Any] = zmq.Context()
        self._keys, self._server, self._address = keys, from_hexadecimal(server), reached
        self.socket = self._connected()

    def _connected(self) -> zmq.Socket[bytes]:
        import zmq

        made: zmq.Socket[bytes] = self._context.socket(zmq.DEALER)
        _prepare(made, self._keys)
        made.curve_serverkey = self._server
        made.connect(f"tcp://{self._address}")
        return made

    def connect_again(self) -> None:
        """Begin anew: a client whose key the server did not know yet gets no second answer on one socket."""
        self.socket.close(0)
        self.socket = self._connected()

    def receive(self) -> Iterator[bytes]:
        """The messages that are there."""
        import zmq

        while True:
            try:
                yield self.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return

    def send(self, message: bytes) -> None:
        """Send a message, if the server can take it now."""
        import zmq

        with suppress(zmq.Again):
            self.socket.send(message, zmq.NOBLOCK)

    def close(self) -> None:
        """Send what is left, and end."""
        self.socket.close(_LINGER)
        self._context.term()


def _prepare(made: zmq.Socket[bytes], keys: Keys) -> None:
    made.curve_publickey, made.curve_secretkey = keys.public, keys.secret
    made.ipv6 = True
    made.heartbeat_ivl, made.heartbeat_timeout = _HEARTBEAT, _SILENCE


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _TRY).close()
    except OSError:
        return False
    return True


def addresses(interface: str = "") -> Iterator[str]:
    """The addresses of this host, without the loopback; only those of one interface if it is named."""
    for _, name in socket.if_nameindex():
        if (interface and name != interface) or (not interface and name == "lo"):
            continue
        if (found := _address_of(name)) and (interface or not found.startswith("127.")):
            yield found
    yield from _global_addresses(interface)


def _global_addresses(interface: str) -> Iterator[str]:
    """The global IPv6 addresses, as the kernel lists them: digits, index, prefix, scope, flags, interface."""
    with suppress(OSError), open("/proc/net/if_inet6", encoding="ascii") as file:
        for digits, _, _, scope, _, name in map(str.split, file):
            if scope == "00" and interface in ("", name):
                yield f"[{socket.inet_ntop(socket.AF_INET6, bytes.fromhex(digits))}]"


def _address_of(interface: str) -> str:
    """The IPv4 address of an interface, as the kernel reports it; "" without one."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack("256s", interface.encode()[:15]))
        except OSError:
            return ""
    return socket.inet_ntoa(answer[20:24])


def short_hash(text: str) -> str:
    """Eight hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
