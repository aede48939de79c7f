"""Ways of not being answered: names, connections, certificates."""

import socket
import ssl
import threading
import time
from datetime import timedelta

import pytest

from pipeline.fetch.guard import tls_context
from tests.engine.fetch.conftest import PORTS


def test_a_refused_connection_is_a_connect_fault(visitor):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        PORTS.add(port := unused.getsockname()[1])
        fetched = visitor.fetch(f"http://127.0.0.1:{port}/")
    assert (fetched.outcome, fetched.reason, fetched.http_status) == ("failed", "connect", None)
    assert fetched.detail


UNRESOLVED = {
    "no_such_name": socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
    "resolver_fails": socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"),
    "not_a_name": UnicodeError("label empty or too long"),
}


@pytest.mark.parametrize("error", UNRESOLVED.values(), ids=UNRESOLVED)
def test_a_name_without_address_is_a_dns_fault(visitor, monkeypatch, error):
    def fail(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    fetched = visitor.fetch("http://shop.invalid/")
    assert (fetched.outcome, fetched.reason) == ("failed", "dns")
    assert fetched.detail in str(error)


def test_a_slow_resolver_meets_the_same_deadline_and_nobody_waits_for_it(visitor, monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: answered.wait(30))
    visitor.settings["timeout"] = timedelta(seconds=0.2)
    started = time.monotonic()
    assert visitor.fetch("http://slow.invalid/").reason == "timeout"
    assert time.monotonic() - started < 2
    answered.set()


TLS = {
    "plain_http": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "hangs_up": b"",
}


@pytest.mark.parametrize("answer", TLS.values(), ids=TLS)
def test_a_server_that_speaks_no_tls_is_a_tls_fault(visitor, server, answer, monkeypatch):
    async def handle(reader, writer):
        await reader.read(1)
        writer.write(answer)
        writer.close()

    monkeypatch.setattr(server, "handle", handle)
    fetched = visitor.fetch(server.url("/").replace("http:", "https:"))
    assert (fetched.outcome, fetched.reason) == ("failed", "tls")
    assert fetched.detail


@pytest.mark.parametrize("http2", [False, True])
def test_certificates_are_verified(http2):
    context = tls_context(http2=http2)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_a_certificate_of_nobody_we_trust_is_a_tls_fault(visitor, tls_server):
    fetched = visitor.fetch(tls_server.page("/", b"plans"))
    assert (fetched.outcome, fetched.reason) == ("failed", "tls")
    assert "certificate" in fetched.detail
    assert not tls_server.requests


@pytest.mark.usefixtures("trusted")
def test_a_certificate_must_bear_the_name_that_was_asked_for(visitor, tls_server):
    url = tls_server.page("/", b"plans")
    assert visitor.fetch(url).body == b"plans"
    fetched = visitor.fetch(url.replace("shop.test", "127.0.0.1"))
    assert (fetched.outcome, fetched.reason) == ("failed", "tls")
    assert "127.0.0.1" in fetched.detail
