"""A real web server on this machine for the download tests, with faults on demand."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FileServer:
    """What the server serves, what goes wrong, and what it was asked."""

    files: dict[str, bytes]
    url: str = ""
    ranges: bool = True
    cut_after: list[int] = field(default_factory=list)
    """For each request to come: the number of bytes after which the connection drops."""
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    """Path and Range header of every request."""


@contextmanager
def serving(files: dict[str, bytes]) -> Iterator[FileServer]:
    """Serve these files until the block ends."""
    state = FileServer(files)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            state.requests.append((self.path, wanted))
            content = state.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            partial = bool(wanted) and state.ranges
            body = content[start:] if partial else content
            self.send_response(206 if partial else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            cut = state.cut_after.pop(0) if state.cut_after else len(body)
            with suppress(ConnectionError):  # a client may have had enough
                self.wfile.write(body[:cut])
            self.close_connection = True

        def log_message(self, *arguments: object) -> None:
            """Keep the test output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
