"""Two tenants on one server: one at all of its limits, and the other, whose waiting times are measured.

Run as a program, it is the first of them: `python3 -m harness.neighbour PORT COOKIE` takes connections that stay idle,
readers that do not read, and as many requests for its largest pages as the rate limit allows, until it is ended.
"""
import http.client, socket, sys, time

LIMIT_PER_MINUTE = 1000  # the default of RATE_LIMIT_TENANT_PER_MIN
IDLE, SLOW = 300, 20
PAGE = "/api/data/order?limit=200"
# So that an order has about 200 KB, and a page of them ends at 4 MiB.
LARGE_ITEMS = [{"productId": f"p{n}", "name": "x" * 9000, "sku": "S", "quantity": 1, "unitPriceCents": 1} for n in range(22)]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def p99_ms(port, cookies, path, seconds):
    """The 99th percentile of one request after the other, 500 a second, taking turns between the cookies."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    times, began = [], time.monotonic()
    for number in range(int(seconds * 500)):
        time.sleep(max(0, began + number / 500 - time.monotonic()))
        cookie, order = cookies[number % len(cookies)]
        started = time.perf_counter()
        connection.request("GET", f"{path}/{order}", headers={"Cookie": cookie})
        reply = connection.getresponse()
        reply.read()
        times.append((time.perf_counter() - started) * 1000)
        if reply.status != 200:
            raise SystemExit(f"the neighbour gets {reply.status}")
    connection.close()
    return percentile(times, 0.99)


def slow_reader(port, cookie):
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.bind(("127.0.0.2", 0))  # another address than the neighbour's
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {PAGE} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
    return reader


def attack(port, cookie):
    idle = []
    for _ in range(IDLE):
        connection = socket.socket()
        connection.bind(("127.0.0.2", 0))
        connection.connect(("127.0.0.1", port))
        idle.append(connection)
    slow = [slow_reader(port, cookie) for _ in range(SLOW)]
    print("at its limits", flush=True)
    began, number = time.monotonic(), 0
    while True:
        number += 1
        time.sleep(max(0, began + number * 60 / LIMIT_PER_MINUTE - time.monotonic()))
        if number % 20 == 0:  # some give up and come again
            slow.append(slow_reader(port, cookie))
            slow.pop(0).close()
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=("127.0.0.2", 0))
        try:
            client.request("GET", PAGE, headers={"Cookie": cookie})
            client.getresponse().read()
        except (OSError, http.client.HTTPException):
            pass
        client.close()


if __name__ == "__main__":
    attack(int(sys.argv[1]), sys.argv[2])
