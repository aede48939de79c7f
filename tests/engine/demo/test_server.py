"""The server: starting, ending, and what it says when it cannot."""

import re
import signal
import socket
import subprocess
import sys
import threading

import httpx
import pytest

from pipeline.clock import SteppedClock
from pipeline.demo import DemoScript, serve
from pipeline.errors import UsageError
from tests.engine.demo.conftest import START


def test_the_date_header_is_the_clocks_and_the_server_says_no_more(site):
    headers = site.get("fixed", 1).headers
    assert headers["date"] == "Mon, 02 Mar 2026 09:00:00 GMT"
    assert "server" not in headers


def test_head_gives_the_headers_alone(site):
    response = site.client.head("/fixed")
    assert (response.status_code, response.content) == (200, b"")


def test_other_methods_are_refused(site):
    assert site.client.post("/fixed").status_code == 405


def test_a_site_that_was_left_is_gone_with_its_thread_and_its_port_is_free():
    script, clock = DemoScript(START), SteppedClock(START)
    with serve(script, clock) as address, httpx.Client(trust_env=False) as client:
        assert client.get(f"{address}/fixed").status_code == 200
        threads = threading.active_count()
    assert threading.active_count() < threads
    port = int(address.rsplit(":", 1)[1])
    with serve(script, clock, port=port) as again:
        assert again == address
        assert httpx.get(f"{again}/fixed", trust_env=False).status_code == 200


def test_a_site_may_be_left_before_anybody_asked():
    with serve(DemoScript(START), SteppedClock(START)):
        pass


def test_serving_says_nothing(capfd):
    with serve(DemoScript(START), SteppedClock(START)) as address:
        httpx.get(f"{address}/flaky", trust_env=False)
        httpx.get(f"{address}/nothing", trust_env=False)
    assert capfd.readouterr() == ("", "")


def test_a_taken_port_is_named():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with (
            pytest.raises(UsageError, match=f"port {port} of 127.0.0.1: another program uses it"),
            serve(DemoScript(START), SteppedClock(START), port=port),
        ):
            pass


def test_a_host_that_is_not_ours_is_named():
    with (
        pytest.raises(UsageError, match=r"of 192\.0\.2\.1"),
        serve(DemoScript(START), SteppedClock(START), host="192.0.2.1"),
    ):
        pass


def test_a_port_that_does_not_exist_is_named():
    with (
        pytest.raises(UsageError, match="port 70000: a number from 0 to 65535"),
        serve(DemoScript(START), SteppedClock(START), port=70000),
    ):
        pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_as_a_process_it_announces_its_address_and_ends_cleanly_on_a_signal(number):
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline.demo", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        address = re.fullmatch(r"demo site at (http://127\.0\.0\.1:\d+)\n", process.stdout.readline())[1]
        assert "day 1 of 5" in httpx.get(address, trust_env=False).text
        process.send_signal(number)
        output, errors = process.communicate(timeout=10)
    assert (process.returncode, output, errors) == (0, "", "")


def test_as_a_process_it_ends_with_status_two_when_the_port_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "pipeline.demo", "--port", str(port)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(port) in done.stderr


@pytest.mark.parametrize("minutes", ["0", "-1", "many"])
def test_a_day_without_length_is_refused(minutes):
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.demo", "--day-minutes", minutes],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--day-minutes" in done.stderr
