"""Many open streams of live changes, whose events are read and thrown away."""
import selectors, socket, threading


class Streams:
    def __init__(self, server, count):
        self.selector, self.sockets, self.ended = selectors.DefaultSelector(), [], threading.Event()
        self.bytes = 0
        request = f"GET /api/admin/changes HTTP/1.1\r\nHost: bench\r\nCookie: {server.cookie}\r\n\r\n".encode()
        for _ in range(count):
            stream = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            stream.sendall(request)
            if not stream.recv(4096).startswith(b"HTTP/1.1 200 "):
                raise SystemExit("a stream of live changes was refused")
            stream.setblocking(False)
            self.selector.register(stream, selectors.EVENT_READ)
            self.sockets.append(stream)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.ended.is_set():
            for key, _ in self.selector.select(timeout=0.1):
                received = len(key.fileobj.recv(65536))
                self.bytes += received
                if received == 0:
                    self.selector.unregister(key.fileobj)

    def close(self):
        self.ended.set()
        self.thread.join()
        for stream in self.sockets:
            stream.close()
