"""Ways of not being answered: names, connections, certificates."""

import asyncio
import socket
import ssl
from datetime import timedelta

import pytest

from pipeline.fetch import connection


def test_a_refused_connection_is_a_connect_fault(visitor):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        fetched = visitor.fetch(f"http://127.0.0.1:{unused.getsockname()[1]}/")
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


def test_a_slow_resolver_meets_the_same_deadline(visitor, monkeypatch):
    async def never(*_args, **_kwargs):
        await asyncio.sleep(60)

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", never)
    visitor.settings["timeout"] = timedelta(seconds=0.2)
    assert visitor.fetch("http://slow.invalid/").reason == "timeout"


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


def test_certificates_are_verified():
    context = connection._tls_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_a_certificate_of_nobody_we_trust_is_a_tls_fault(visitor, tls_server):
    fetched = visitor.fetch(tls_server.page("/", b"plans"))
    assert (fetched.outcome, fetched.reason) == ("failed", "tls")
    assert "self-signed certificate" in fetched.detail
    assert not tls_server.requests


def test_a_certificate_must_bear_the_name_that_was_asked_for(visitor, tls_server, certificate, monkeypatch):
    trusting = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr(connection, "_tls_context", lambda: trusting)
    url = tls_server.page("/", b"plans")
    assert visitor.fetch(url).body == b"plans"
    fetched = visitor.fetch(url.replace("shop.test", "127.0.0.1"))
    assert (fetched.outcome, fetched.reason) == ("failed", "tls")
    assert "127.0.0.1" in fetched.detail
