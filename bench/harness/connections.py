"""Many connections that are kept open, each of which sends a request now and then, as behind a load balancer."""
import random, resource, socket, time

from harness.neighbour import percentile

PER_SECOND = 500


def can_open(count):
    """Raises the limit of descriptors. Returns false if there are not enough for `count` connections, here and in the server."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most > count + 1000


class KeptConnections:
    def __init__(self, server, count, path):
        self.request = f"GET {path} HTTP/1.1\r\nHost: bench\r\nCookie: {server.cookie}\r\n\r\n".encode()
        self.sockets = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(count)]
        for each in self.sockets:
            self.ask(each)
        random.shuffle(self.sockets)
        self.turn = 0

    def ask(self, connection):
        connection.sendall(self.request)
        reply = connection.recv(65536)
        head, _, body = reply.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"a kept connection got: {reply[:200]}")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            body += connection.recv(65536)

    def p99_ms(self, seconds):
        """Of one request after the other, each on another connection."""
        times, began = [], time.monotonic()
        for number in range(int(seconds * PER_SECOND)):
            time.sleep(max(0, began + number / PER_SECOND - time.monotonic()))
            self.turn += 1
            started = time.perf_counter()
            self.ask(self.sockets[self.turn % len(self.sockets)])
            times.append((time.perf_counter() - started) * 1000)
        return percentile(times, 0.99)

    def close(self):
        for each in self.sockets:
            each.close()
