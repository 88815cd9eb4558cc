"""Requests at a fixed rate. The time of each counts from the moment when it was due, so a server that is late does not slow the clock."""
import select, socket, time

from harness.neighbour import percentile

CONNECTIONS, SILENCE = 64, 10


class FixedRate:
    """Kept connections that send the requests (bytes) in turn. Every reply must be a 200."""

    def __init__(self, port, requests):
        self.requests, self.received = requests, {}
        self.sockets = [socket.create_connection(("127.0.0.1", port), timeout=SILENCE) for _ in range(CONNECTIONS)]

    def is_answered(self, connection):
        reply = self.received.pop(connection, b"") + connection.recv(65536)
        head, end, body = reply.partition(b"\r\n\r\n")
        lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        if end and len(body) >= lengths[0]:
            if not head.startswith(b"HTTP/1.1 200 "):
                raise SystemExit(f"a request at a fixed rate got: {reply[:200]}")
            return True
        self.received[connection] = reply
        return False

    def p99_ms(self, per_second, seconds):
        began, idle, due, times, sent = time.perf_counter(), list(self.sockets), {}, [], 0
        total = int(per_second * seconds)
        while len(times) < total:
            while idle and sent < total and began + sent / per_second <= time.perf_counter():
                connection = idle.pop()
                connection.sendall(self.requests[sent % len(self.requests)])
                due[connection] = began + sent / per_second
                sent += 1
            sends_next = idle and sent < total
            wait = max(0, began + sent / per_second - time.perf_counter()) if sends_next else SILENCE
            answering = select.select(list(due), [], [], wait)[0]
            if not answering and not sends_next:
                raise SystemExit(f"no reply within {SILENCE} s")
            for connection in filter(self.is_answered, answering):
                times.append((time.perf_counter() - due.pop(connection)) * 1000)
                idle.append(connection)
        return percentile(times, 0.99)

    def close(self):
        for each in self.sockets:
            each.close()
