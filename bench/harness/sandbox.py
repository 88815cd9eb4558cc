"""`guildhall-sandbox` beside a server: the payment processors and the chat platform, with a log of their calls."""
import http.client, json

from harness.processes import start, stop
from harness.servers import BINARY, free_port, wait_for


class Sandbox:
    """Without delays of its own."""

    def __init__(self, folder, server_port):
        self.port, self.last = free_port(), 0
        command = [f"{BINARY}-sandbox", "sandbox", "--port", str(self.port), "--mail-port", str(free_port()), "--delay", "0",
                   "--server", f"http://127.0.0.1:{server_port}"]
        self.process = start(command, env={"SERVICE_ENV": "development", "DATA_DIR": folder})
        wait_for(self.is_ready, "guildhall-sandbox")

    def is_ready(self):
        try:
            return self.ask("GET", "/state") is not None
        except OSError:
            return False

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, f"/sandbox{path}", None if body is None else json.dumps(body), headers)
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        if reply.status // 100 != 2:
            raise SystemExit(f"{method} {path}: {reply.status} {text}")
        return json.loads(text)

    def new_calls(self):
        """The calls of all parties since the last time."""
        answer = self.ask("GET", f"/calls?after={self.last}")
        self.last = answer["last"]
        return answer["items"]

    def stop(self):
        stop(self.process)
