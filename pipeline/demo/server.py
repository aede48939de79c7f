"""The demo site as a web server: one starlette application, run by uvicorn in a thread of this process."""

import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.utils import format_datetime

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from pipeline.clock import Clock, SystemClock
from pipeline.demo.script import DemoScript
from pipeline.errors import UsageError

__all__ = ["DEFAULT_PORT", "demo_app", "run_forever", "serve"]

DEFAULT_PORT = 8600
MAX_PORT = 65_535

GRACE_S = 2
"""Seconds that answers under way are given at the end; a page is built in well under a millisecond."""


def demo_app(script: DemoScript, clock: Clock) -> Starlette:
    """The demo site as an ASGI application; the clock is asked once for each request."""

    async def answer(request: Request) -> HttpResponse:
        now = clock.now()
        response = script.respond(request.scope["path"], now, request.headers)
        headers = {**response.headers, "date": format_datetime(now, usegmt=True)}
        return HttpResponse(response.body, status_code=response.status, headers=headers)

    return Starlette(routes=[Route("/{path:path}", answer)])


@contextmanager
def serve(script: DemoScript, clock: Clock, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """The demo site, served until the block is left.

    The clock may be moved from any thread while the site is served. Port 0 means any free one.

    Yields:
        The address, such as `http://127.0.0.1:8600`, without a slash at its end. It answers at once.

    Raises:
        UsageError: The port is taken or may not be used.
    """
    with _listen(host, port) as listener:
        config = uvicorn.Config(
            demo_app(script, clock),
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            date_header=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_S,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), name="demo-site", daemon=True)
        # The socket listens already: what comes before the thread is ready waits in its queue.
        address = f"http://{host}:{listener.getsockname()[1]}"
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()


def run_forever(
    port: int = DEFAULT_PORT,
    day_length: timedelta = timedelta(minutes=30),
    *,
    start: datetime | None = None,
    started: Callable[[str], None] = lambda _address: None,
) -> None:
    """Serve on the machine's clock until SIGINT or SIGTERM; to be called from the main thread of a process.

    Day 1 of the script begins at `start`, or now. `started` is called with the address once the site answers.

    Raises:
        UsageError: The port is taken or may not be used.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stop.set())
    clock = SystemClock()
    with serve(DemoScript(start or clock.now(), day_length), clock, port=port) as address:
        started(address)
        stop.wait()


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket."""
    if not 0 <= port <= MAX_PORT:
        raise UsageError(f"demo site: port {port}: a number from 0 to {MAX_PORT} is expected")
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "another program uses it; end that program" if taken else f"{error}; check the address"
        raise UsageError(f"demo site: cannot listen on port {port} of {host}: {why}, or choose another port") from error
    # Accepted sockets inherit it. asyncio sets it itself, but not on a socket made without naming TCP, and an
    # answer in two packets then waits 40 ms for a delayed acknowledgement (RFC 1122, section 4.2.3.2).
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
