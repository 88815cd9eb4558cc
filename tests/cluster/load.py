"""Clients of a cluster, which remember what was acknowledged, so that it can be compared with what is stored."""
import json, threading, time
from http.client import HTTPConnection, HTTPException

from cluster import PASSWORD, fail

PAUSE_AFTER_FAILURE = 0.05  # seconds


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


class Client:
    """One client with a connection that it keeps, signed in as the admin."""

    def __init__(self, port, cookie="", timeout=40):
        self.port, self.cookie, self.timeout, self.connection = port, cookie, timeout, None

    def send(self, method, path, body=None, headers=None):
        """(status, text); status 0 if there was no answer."""
        sent = {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin", **(headers or {})}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        try:
            if self.connection is None:
                self.connection = HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            self.connection.request(method, path, body, sent)
            reply = self.connection.getresponse()
            text = reply.read().decode(errors="replace")
            if reply.getheader("connection") == "close":
                self.close()
            if reply.getheader("set-cookie"):
                self.cookie = reply.getheader("set-cookie").split(";")[0]
            return reply.status, text
        except (OSError, HTTPException) as error:
            self.close()
            return 0, f"{type(error).__name__}: {error}"

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def sign_in(self, tenant="default"):
        self.cookie = ""
        body = json.dumps({"username": "admin", "password": PASSWORD, "tenantId": tenant})
        return self.send("POST", "/auth/local/login", body)

    def must(self, expected, method, path, body=None, headers=None):
        status, text = self.send(method, path, None if body is None else json.dumps(body), headers)
        if status != expected:
            fail(f"{method} {path}: {status} {text}")
        return json.loads(text) if text else None


def signed_in(port, tenant="default"):
    client = Client(port)
    status, text = client.sign_in(tenant)
    if status != 200:
        fail(f"sign-in: {status} {text}")
    return client


class Load:
    """Client threads that repeat one piece of work each until the end of the `with` block. Thread-safe records:
    `acknowledged` and `unknown` (order numbers), `writes` (times of acknowledged writes), `failures` (time, request, answer)."""

    def __init__(self, port, clients=8):
        self.run = f"load-{time.monotonic_ns()}-"  # the beginning of its order numbers
        self.port, self.stopping, self.lock, self.clients = port, threading.Event(), threading.Lock(), clients
        self.requests, self.acknowledged, self.unknown, self.writes, self.failures, self.seconds = 0, set(), set(), [], [], []
        self.cookie = signed_in(port).cookie
        self.threads = [threading.Thread(target=self.work, args=(number,), daemon=True) for number in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)

    def work(self, number):
        """Reads and new orders in turns. Every second order has an Idempotency-Key."""
        client, last = Client(self.port, self.cookie), None
        for turn in range(10**9):
            if self.stopping.is_set():
                return
            name = f"{self.run}{number}-{turn}"
            if turn % 4 == 0:
                self.record(client, "GET", "/api/data/order?limit=5")
            elif turn % 4 == 2:
                self.record(client, "GET", f"/api/data/order/{last}" if last else "/healthz")
            else:
                key = {"Idempotency-Key": name} if turn % 4 == 1 else {}
                last = self.order(client, name, key) or last

    def order(self, client, name, headers):
        """Creates an order; returns its id if it was acknowledged."""
        item = {"productId": "p", "name": "Mug", "sku": "M", "quantity": 1, "unitPriceCents": 100}
        body = json.dumps({"orderNumber": name, "customer": {"name": "Ada"}, "items": [item]})
        status, text = self.record(client, "POST", "/api/data/order", body, headers, expected=201)
        with self.lock:
            if status == 201:
                self.acknowledged.add(name)
                self.writes.append(time.monotonic())
            elif status == 0 or status >= 500:
                self.unknown.add(name)
        return json.loads(text)["id"] if status == 201 else None

    def record(self, client, method, path, body=None, headers=None, expected=200):
        began = time.monotonic()
        status, text = client.send(method, path, body, headers)
        ended = time.monotonic()
        with self.lock:
            self.requests += 1
            self.seconds.append(ended - began)
            if status != expected:
                what = method + (" with a key" if headers and "Idempotency-Key" in headers else "")
                self.failures.append((ended, what, f"{status} {text[:150]}"))
        if status != expected:
            self.stopping.wait(PAUSE_AFTER_FAILURE)
        return status, text

    def counted(self):
        with self.lock:
            return self.requests, len(self.acknowledged), len(self.failures)

    def wait_for(self, more, within=120):
        """Waits until that many further orders have been acknowledged."""
        target, deadline = self.counted()[1] + more, time.monotonic() + within
        while self.counted()[1] < target:
            if time.monotonic() > deadline:
                fail(f"{more} orders were not acknowledged within {within} s: {self.failures[-3:]}")
            time.sleep(0.02)

    def gap_after(self, moment):
        """The longest time without an acknowledged write since then, in seconds."""
        with self.lock:
            times = [each for each in self.writes if each >= moment]
        times = [moment, *sorted(times)]
        return max((later - earlier for earlier, later in zip(times, times[1:])), default=0)

    def failures_since(self, moment):
        """(number, seconds from the first to the last, the number of each kind)"""
        with self.lock:
            found = [failure for failure in self.failures if failure[0] >= moment]
        kinds = {}
        for _, what, answer in found:
            kind = f"{what}: {answer.split()[0]}"
            kinds[kind] = kinds.get(kind, 0) + 1
        return len(found), found[-1][0] - found[0][0] if found else 0, kinds

    def compare(self, cluster):
        """(acknowledged orders that are not stored, orders without an answer that are stored, orders nobody has sent)"""
        stored = cluster.psql(f"SELECT order_number FROM orders WHERE tenant_id = 'default' AND order_number LIKE '{self.run}%'").split("\n")
        if len(stored) != len(set(stored)):
            fail("an order is stored twice")
        stored = set(stored) - {""}
        return self.acknowledged - stored, self.unknown & stored, stored - self.acknowledged - self.unknown
