"""No way in: what has a private address is not asked, whatever name or spelling leads there."""

import asyncio
import socket

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import GuardError
from pipeline.fetch import Guard, guard, open_pool
from pipeline.fetch.addresses import why_refused
from pipeline.fetch.ending import Fault
from pipeline.fetch.guard import prove
from tests.engine.fetch.conftest import PUBLIC, head

REFUSED = """
    127.0.0.1 127.8.9.10 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255
    169.254.169.254 169.254.1.1 168.63.129.16 100.100.100.200 192.0.0.192 192.0.0.8
    0.0.0.0 0.1.2.3 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1
    2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1:: 3fff::1
    5f00::1 fc00::1 fd00:ec2::254 fd12:3456::1 fe80::1 fe80::1%lo fec0::1 ff02::1 4000::1 ::2
""".split()

# What an operator may allow, and nothing else of the above.
OWN = set(
    """
    127.0.0.1 127.8.9.10 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255
    ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 fc00::1 fd12:3456::1
    """.split()
)

OPEN = (
    "1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 192.0.1.1 2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8"
)


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_not_public_is_refused(address):
    assert why_refused(address)
    assert (why_refused(address, allowed=True) is None) == (address in OWN)


@pytest.mark.parametrize("address", OPEN.split())
def test_a_public_address_is_not_refused(address):
    assert why_refused(address) is None


@given(st.ip_addresses())
def test_no_address_that_python_knows_to_be_special_is_let_through(address):
    if not address.is_global or address.is_multicast:
        assert why_refused(str(address))


SPELLINGS = """
    127.0.0.1 127.1 0x7f000001 2130706433 0177.0.0.1 localhost LOCALHOST [::1] [::ffff:127.0.0.1] 0.0.0.0
    0 169.254.169.254
""".split()


@pytest.fixture
def resolver(monkeypatch):
    """The system's resolver, as it is."""
    monkeypatch.undo()


@pytest.mark.usefixtures("resolver")
@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_this_machine_is_asked(server, visitor, host):
    visitor.private = ()
    server.page("/")
    fetched = visitor.fetch(server.url("/", host))
    assert (fetched.outcome, fetched.reason) == ("refused", "url" if host.startswith("0177") else "address")
    assert not server.requests


@pytest.mark.parametrize("host", ["127.0.0.1", "shop.test", "[::ffff:127.0.0.1]"])
def test_a_redirect_to_a_private_address_is_refused_before_a_byte_is_sent(server, visitor, host):
    visitor.private = ("other.test",)
    server.redirect("/", server.url("/inside", host))
    fetched = visitor.fetch(server.url("/", "other.test"))
    assert (fetched.outcome, fetched.reason) == ("refused", "address")
    assert [request.target for request in server.requests] == ["/"]


def answering(*answers):
    """A resolver that gives these answers, one a call, and notes what it was asked."""
    asked = []

    async def resolve(host, port):
        asked.append((host, port))
        return answers[min(len(asked), len(answers)) - 1]

    return resolve, asked


def test_one_bad_answer_refuses_a_name(server, visitor):
    visitor.private = ()
    visitor.resolve, _ = answering([PUBLIC, "127.0.0.1"])
    fetched = visitor.fetch(server.page("/").replace("127.0.0.1", "mixed.example"))
    assert (fetched.outcome, fetched.reason) == ("refused", "address")
    assert fetched.detail == f"mixed.example:{server.port} (127.0.0.1) is not to be asked: loopback"


def test_a_name_is_resolved_once_a_connection_and_the_connection_goes_to_what_was_judged(server, visitor):
    visitor.private = ("rebind.test",)  # else 127.0.0.1 could not be judged good
    visitor.resolve, asked = answering(["127.0.0.1"], ["169.254.169.254"])
    url = server.page("/").replace("127.0.0.1", "rebind.test")
    found = visitor.fetch_all(url, url + "?again")
    assert [each.reason for each in found.values()] == [None, "address"]
    assert asked == [("rebind.test", server.port)] * 2
    assert len(server.requests) == 1


def test_a_second_address_is_tried_when_the_first_does_not_answer(server, visitor):
    visitor.private = ("two.test",)
    visitor.resolve, _ = answering(["127.1.2.3", "127.0.0.1"])
    assert visitor.fetch(server.page("/").replace("127.0.0.1", "two.test")).outcome == "ok"


def test_a_name_without_any_address_is_a_dns_fault(visitor):
    visitor.resolve, _ = answering([])
    assert visitor.fetch("http://nothing.example/").reason == "dns"


def test_what_is_allowed_is_allowed_at_its_port_only():
    judge = Guard(["straße.test:81", "[::1]:80", "lan.test:80"])
    assert judge.allows("xn--strae-oqa.test", 81)
    assert judge.allows("::1", 80)
    assert judge.allows("lan.test", 80)
    assert not judge.allows("lan.test", 443)
    assert not judge.allows("xn--strae-oqa.test", 80)


def test_an_address_behind_a_proxy_is_judged_too(server, visitor):
    visitor.environ["PROXY"] = f"http://127.0.0.1:{server.port}"
    for url in ("http://10.0.0.1/", "http://inside.invalid/", "https://169.254.169.254/"):
        visitor.resolve, _ = answering(["10.9.9.9"])
        visitor.private = ("127.0.0.1",)
        fetched = visitor.fetch(url, proxy="PROXY")
        assert (fetched.outcome, fetched.reason) == ("refused", "address")
    assert not server.requests


def test_a_private_proxy_must_be_allowed(server, visitor):
    visitor.environ["PROXY"] = f"http://user:p4ssword@127.0.0.1:{server.port}"
    visitor.private = ()
    fetched = visitor.fetch("http://shop.example/", proxy="PROXY")
    assert (fetched.outcome, fetched.reason) == ("refused", "address")
    assert "127.0.0.1" not in fetched.detail


def test_the_guard_is_proven_before_anything_is_fetched(server, visitor, monkeypatch):
    class Careless(guard.GuardedBackend):
        def __init__(self, _guard):
            self.connect_tcp = httpcore.AnyIOBackend().connect_tcp

    monkeypatch.setattr(guard, "GuardedBackend", Careless)
    with pytest.raises(GuardError, match=r"pip install -c constraints\.txt"):
        visitor.fetch(server.page("/"))
    assert not server.requests


def test_a_guard_that_is_in_force_passes_its_own_test():
    asyncio.run(prove(Guard()))


def test_other_requests_go_through_the_same_guard(server):
    async def post(allowed):
        async with open_pool(Guard(allowed)) as pool:
            answer = await pool.request("POST", server.url("/hook"), content=b"{}")
            return answer.status, answer.content

    server.raw("/hook", head("Content-Length: 2") + b"ok")
    with pytest.raises(Fault, match="address"):
        asyncio.run(post([]))
    assert not server.requests
    assert asyncio.run(post([f"127.0.0.1:{server.port}"])) == (200, b"ok")


def test_no_request_can_be_sent_over_a_unix_socket():
    async def connect():
        await guard.GuardedBackend(Guard()).connect_unix_socket("/run/docker.sock")

    with pytest.raises(NotImplementedError):
        asyncio.run(connect())


def test_the_resolver_gives_up_on_what_is_no_name(monkeypatch):
    def fail(*_args, **_kwargs):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(Fault, match="dns"):
        asyncio.run(Guard().addresses("no.such.name", 80))
