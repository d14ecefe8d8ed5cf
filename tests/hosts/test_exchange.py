"""What monitors leave for each other, send each other, and whom they let in."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import zmq

from jaxmpi_lint.runtime.hosts import meeting, wire
from jaxmpi_lint.runtime.hosts.meeting import Offer, Peer, differing, former_port, leave_offer
from jaxmpi_lint.runtime.hosts.sockets import Client, Keys, Server, addresses, from_hexadecimal

KEY = "ab" * 32
OWN = Offer(KEY, ("10.0.0.1:4000",), "0.1.0", "deadbeef")
SOON = 1500  # milliseconds


def test_offer_is_private_and_comes_back_with_the_ranks(tmp_path: Path) -> None:
    meeting.leave_offer(tmp_path, OWN)
    offer = tmp_path / meeting.OFFER
    assert offer.stat().st_mode & 0o077 == 0
    (tmp_path / meeting.HOSTS).write_text(f"root\n4-5|{offer.read_text()}\n0-6/2,9|!no socket\nunchecked values\n")
    found = meeting.read(tmp_path)
    assert found == meeting.Meeting("root", (Peer((4, 5), OWN), Peer((0, 2, 4, 6, 9), None, "no socket")), "", "values")


def test_nothing_is_found_before_the_file_is_there(tmp_path: Path) -> None:
    assert meeting.read(tmp_path) is None


def test_reason_for_being_alone(tmp_path: Path) -> None:
    (tmp_path / meeting.HOSTS).write_text("alone the host of rank 2 did not respond\nunchecked values\n")
    found = meeting.read(tmp_path)
    assert found is not None
    assert (found.role, found.reason) == ("alone", "the host of rank 2 did not respond")


def test_what_remains_of_a_meeting_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.write_text("0-1|...")
    (tmp_path / meeting.HOSTS).write_text(f"root\nremains {left}\nunchecked values\n")
    found = meeting.read(tmp_path)
    assert found is not None
    assert found.peers == ()
    for _ in range(2):  # it may be gone
        meeting.remove_remains(tmp_path)
    assert not left.exists()


def test_offer_stays_short_whatever_number_of_addresses() -> None:
    many = Offer(KEY, tuple(f"192.168.100.{number}:54321" for number in range(20)), "0.1.0", "deadbeef")
    assert len(str(many)) <= 180
    assert str(many).startswith(f"{KEY}|192.168.100.0:54321,")


@pytest.mark.parametrize(
    ("peer", "reason"),
    [
        (Peer((2,), OWN), ""),
        (Peer((2,), None, "no socket"), "no socket"),
        (Peer((2,), Offer(KEY, (), "0.2.0", "deadbeef")), "different versions of the sanitizer: 0.1.0 and 0.2.0"),
        (Peer((2,), Offer(KEY, (), "0.1.0", "f00d")), "JAXMPI_SANITIZE or JAXMPI_SANITIZE_OPTIONS differs"),
    ],
)
def test_hosts_that_cannot_be_compared(peer: Peer, reason: str) -> None:
    assert differing(OWN, [peer]).startswith(reason)


def test_message_comes_back() -> None:
    message = {"ask": 1, "what": "snapshot", "arguments": [1, None, "x", 2**64 - 1]}
    assert wire.unpacked(wire.packed(message)) == message


@pytest.mark.parametrize("data", [b"", b"garbage", zlib.compress(b"{"), zlib.compress(b"1"), zlib.compress(b"{}")[:-3]])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        wire.unpacked(data)


def test_key_in_hexadecimal_digits_is_checked() -> None:
    keys = Keys()
    assert from_hexadecimal(keys.name) == keys.public
    with pytest.raises(ValueError):
        from_hexadecimal("abcd")


def test_keys_are_kept_where_only_the_user_can_read_them(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    first, again = Keys.kept(path), Keys.kept(path)
    assert (first.public, first.secret) == (again.public, again.secret)
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"damaged")
    assert Keys.kept(path).public != first.public


def test_port_is_kept(tmp_path: Path) -> None:
    assert former_port(tmp_path) == 0
    leave_offer(tmp_path, "hosts=off")
    assert former_port(tmp_path) == 0
    leave_offer(tmp_path, Offer(KEY, (), "0.1.0", "deadbeef"))
    assert former_port(tmp_path) == 0
    leave_offer(tmp_path, Offer(KEY, ("10.0.0.1:4711", "[::1]:4711"), "0.1.0", "deadbeef"))
    assert former_port(tmp_path) == 4711


def test_interface_without_an_address() -> None:
    with pytest.raises(OSError, match="interface=nowhere0: no address"):
        Server(Keys(), "nowhere0")


@contextmanager
def served() -> Iterator[tuple[Server, Keys, str]]:
    keys = Keys()
    try:
        server = Server(keys, "" if list(addresses()) else "lo")
    except OSError as error:
        pytest.fail(str(error))
    try:
        yield server, keys, f"127.0.0.1:{server.port}"
    finally:
        server.close()


def test_admitted_client_is_known_by_its_key() -> None:
    with served() as (server, keys, address):
        own = Keys()
        server.admit([own.name])
        client = Client(own, keys.name, [address])
        client.send(b"hello")
        assert server.socket.poll(SOON)
        ((name, where, data),) = server.receive()
        assert (name, data) == (own.name, b"hello")
        server.send(where, b"welcome")
        assert client.socket.poll(SOON)
        assert list(client.receive()) == [b"welcome"]
        client.close()


def test_client_with_another_key_gets_nothing_and_disturbs_nobody() -> None:
    with served() as (server, keys, address):
        own = Keys()
        server.admit([own.name])
        stranger = Client(Keys(), keys.name, [address])
        stranger.send(b"hello")
        assert not server.socket.poll(SOON // 3)
        client = Client(own, keys.name, [address])
        client.send(b"hello")
        assert server.socket.poll(SOON)
        assert [name for name, _, _ in server.receive()] == [own.name]
        assert not stranger.socket.poll(SOON // 3)
        stranger.close()
        client.close()


def test_client_without_encryption_gets_nothing() -> None:
    with served() as (server, _, address):
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        plain = context.socket(zmq.DEALER)
        plain.connect(f"tcp://{address}")
        with suppress(zmq.Again):
            plain.send(b"hello", zmq.NOBLOCK)
        assert not server.socket.poll(SOON // 3)
        assert not plain.poll(SOON // 3)
        plain.close(0)
        context.term()


def test_client_may_come_before_it_is_admitted() -> None:
    with served() as (server, keys, address):
        own = Keys()
        client = Client(own, keys.name, [address])
        client.send(b"hello")
        assert not server.socket.poll(SOON // 3)
        server.admit([own.name])
        client.connect_again()
        client.send(b"hello again")
        assert server.socket.poll(SOON)
        assert [data for _, _, data in server.receive()] == [b"hello again"]
        client.close()


def test_address_that_cannot_be_reached() -> None:
    with pytest.raises(OSError, match=r"cannot be reached at 127\.0\.0\.1:1"):
        Client(Keys(), Keys().name, ["127.0.0.1:1"])
