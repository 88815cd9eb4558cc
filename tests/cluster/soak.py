"""A cluster under mixed load with faults. At the end everything that was acknowledged must be stored, once, and the books must
balance; memory, descriptors and tables must not have grown beyond what the orders need."""
import hashlib, hmac, json, os, re, signal, subprocess, threading, time
from http.client import HTTPConnection, HTTPException

from cluster import BINARY, DATABASES, ask, fail, wait_for
from load import Client, Load, signed_in

GUILD, STOCK, SHIPPING_SECRET = "9001", 10_000_000, "soak-shipping-secret"
SETTINGS = {"RATE_LIMIT_DISABLED": "true", "CACHE_TIMEOUT_MS": "1000", "CHAT_INTERACTIONS_UNVERIFIED": "true",
            "CHAT_AUTO_PROVISION": "true", "SHIPPING_WEBHOOK_SECRET": SHIPPING_SECRET, "REQUEST_TIMEOUT_MS": "10000"}
STREAMS = 20
SMALL_TABLES = ("order_counters", "products", "fund_balances", "audit_chains", "nodes", "write_probes", "chat_limits", "report_entries")


class Mixed(Load):
    """Orders of tracked products, payments, reads, parcels with their webhooks, purchases in the chat, contributions to the
    fund, and streams of live changes."""

    def __init__(self, port, cluster):
        super().__init__(port, clients=0)
        self.cluster, self.events, self.interactions, self.gaps, self.reloads = cluster, set(), 0, 0, 0
        self.open_shop()
        workers = [self.sell] * 4 + [self.deliver] * 2 + [self.chat] * 2 + [self.give] + [self.watch] * STREAMS
        self.threads = [threading.Thread(target=self.repeat, args=(work, number), daemon=True) for number, work in enumerate(workers)]

    def open_shop(self):
        self.interact(2, {"id": "1", "name": "register", "type": 1, "options": []}, "1", permissions="32")
        self.tenant = self.cluster.psql(f"SELECT tenant_id FROM guild_bindings WHERE guild_id = '{GUILD}'")
        admin = signed_in(self.port, self.tenant)
        self.cookie = admin.cookie
        self.products = [admin.must(201, "POST", "/api/data/product", {
            "name": name, "sku": name, "priceCents": 1500, "isDigital": True, "inventoryTracked": True,
            "stockQuantity": STOCK})["id"] for name in ("Mug", "Song")]
        self.customer = admin.must(201, "POST", "/api/data/customer", {
            "chatId": "soak", "chatUsername": "ada", "chatDisplayName": "Ada"})["id"]
        admin.must(200, "PUT", "/api/admin/payment-methods", {"methods": [{"method": "CASH", "enabled": True}]})
        admin.must(200, "PUT", "/api/admin/community-fund/config", {"enabled": True})

    def repeat(self, work, number):
        turn = 0
        client = Client(self.port, self.cookie, timeout=15)
        while not self.stopping.is_set():
            turn += 1
            work(client, f"{self.run}{number}-{turn}", turn)

    def sell(self, client, name, turn):
        """An order of two tracked products, which is read, listed, and in one of three cases paid."""
        items = [{"productId": product, "name": "Thing", "sku": "S", "quantity": 1, "unitPriceCents": 1500} for product in self.products]
        body = json.dumps({"orderNumber": name, "customer": {"name": "Ada"}, "customerId": self.customer, "items": items})
        order = self.write(client, "/api/data/order", body, name)
        if order is None:
            return
        path = f"/api/data/order/{order['id']}"
        self.record(client, "GET", path)
        self.record(client, "GET", "/api/data/order?limit=50" if turn % 5 else "/api/data/order/open/summary")
        if turn % 3 == 0:
            self.record(client, "PATCH", path, json.dumps({"status": "PAID"}))

    def write(self, client, path, body, name):
        """Creates a record; repeated with the same key until its fate is known, at most five times."""
        for _ in range(5):
            status, text = self.record(client, "POST", path, body, {"Idempotency-Key": name}, expected=201)
            if status == 201:
                with self.lock:
                    if path.endswith("/order"):
                        self.acknowledged.add(name)
                        self.writes.append(time.monotonic())
                return json.loads(text)
            if self.stopping.wait(0.2):
                break
        with self.lock:
            self.unknown.add(name)
        return None

    def deliver(self, client, name, turn):
        """A parcel that its carrier reports on, each report twice."""
        tracker = name.replace("load-", "trk-")
        body = json.dumps({"orderId": "parcel", "carrier": "USPS", "trackingNumber": tracker, "trackerId": tracker})
        if self.write(client, "/api/data/shipment", body, name) is None:
            return
        for status in ("in_transit", "delivered"):
            event = f"evt-{tracker}-{status}"
            report = json.dumps({"id": event, "object": "Event", "description": "tracker.updated", "result": {
                "id": tracker, "object": "Tracker", "tracking_code": tracker, "status": status, "carrier": "USPS",
                "updated_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + (status == "delivered")))}})
            signature = "hmac-sha256-hex=" + hmac.new(SHIPPING_SECRET.encode(), report.encode(), hashlib.sha256).hexdigest()
            for _ in range(2):
                if self.record(client, "POST", "/api/shipping/webhook", report, {"x-hmac-signature": signature})[0] == 200:
                    with self.lock:
                        self.events.add(event)

    def chat(self, client, name, turn):
        """A purchase with the bot, from the list of products to the order."""
        member = str(1000 + turn % 50)
        try:
            shop = self.interact(2, {"id": "1", "name": "shop", "type": 1, "options": []}, member, client)
            card = self.interact(3, {"custom_id": step(shop, "pick"), "component_type": 3, "values": [self.products[0]]}, member, client)
            form = self.interact(3, {"custom_id": step(card, "buy"), "component_type": 2}, member, client)
            fields = [{"type": 1, "components": [{"type": 4, "custom_id": field, "value": value}]}
                      for field, value in (("quantity", "1"), ("discount", ""))]
            pay = self.interact(5, {"custom_id": step(form, "form"), "components": fields}, member, client)
            done = self.interact(3, {"custom_id": step(pay, "pay"), "component_type": 3, "values": ["CASH"]}, member, client)
            ordered = re.search(r'"title":"Order ([^"]+)"', done)
            if ordered:
                with self.lock:
                    self.acknowledged.add(ordered.group(1))
                    self.interactions += 1
        except LookupError:
            pass  # one of the answers was a failure, which is recorded

    def interact(self, kind, data, member, client=None, permissions="0"):
        body = json.dumps({"id": f"{time.monotonic_ns()}{member}", "application_id": "app", "type": kind, "token": "t",
                           "channel_id": "77", "guild_id": GUILD, "data": data,
                           "member": {"user": {"id": member, "username": f"user{member}"}, "roles": [], "permissions": permissions}})
        return self.record(client or Client(self.port), "POST", "/chat/interactions", body)[1]

    def give(self, client, name, turn):
        body = json.dumps({"customerId": self.customer, "amountCents": 100, "anonymous": False})
        self.record(client, "POST", "/api/admin/community-fund/contributions", body, {"Idempotency-Key": name}, expected=201)
        self.stopping.wait(0.05)

    def watch(self, client, name, turn):
        """A stream of live changes, resumed after the last event. Every sequence number must come once and in order, unless
        the server says that the client was away for too many changes and has to read everything again."""
        last = getattr(client, "last", None)
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", "/api/admin/changes", headers={"Cookie": self.cookie, **({"Last-Event-ID": last} if last else {})})
            reply = connection.getresponse()
            while reply.status == 200 and not self.stopping.is_set():
                line = reply.readline().decode()
                if not line:
                    break
                if line.startswith("id: "):
                    identifier = line[4:].strip()
                    previous, current = int(last.split("-")[0]) if last else None, int(identifier.split("-")[0])
                    if previous is not None and current not in (previous, previous + 1):
                        reload = reply.readline() == b"event: reload\n"
                        with self.lock:
                            self.reloads += reload
                            self.gaps += not reload
                    client.last = last = identifier
        except (OSError, HTTPException, ValueError):
            pass
        connection.close()
        self.stopping.wait(0.5)


def step(answer, name):
    """The custom id of the component that leads to a step of the conversation."""
    found = re.search(rf'"custom_id":"({name}\.[^"]+)"', answer)
    if not found:
        raise LookupError(answer)
    return found.group(1)


class Faults:
    """One fault after the other. The first node is spared, so that its memory can be compared with earlier times."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.kinds = [self.restart_redis, self.kill_node, self.restart_database, self.freeze_node, self.crash_primary, self.restart_node]
        self.counts = {}

    def next(self):
        kind = self.kinds[sum(self.counts.values()) % len(self.kinds)]
        name = kind.__name__.replace("_", " ")
        self.counts[name] = self.counts.get(name, 0) + 1
        kind()
        for node in self.cluster.node_names():
            wait_for(lambda: self.cluster.proxy_uses(node), f"HAProxy to use {node} after: {name}", 120)

    def restart_redis(self):
        self.cluster.stop("redis")
        time.sleep(2)
        self.cluster.start("redis")

    def kill_node(self):
        self.cluster.kill("node-2")
        time.sleep(5)
        self.cluster.start("node-2")

    def restart_node(self):
        self.cluster.stop("node-3")
        self.cluster.start("node-3")

    def freeze_node(self):
        self.cluster.signal("node-3", signal.SIGSTOP)
        time.sleep(10)
        self.cluster.signal("node-3", signal.SIGCONT)

    def restart_database(self):
        status, text = ask("POST", f"http://{self.cluster.address(f'rest-{self.cluster.primary()}')}/restart", {}, timeout=60)
        if status not in (200, 503):  # 503: restarted, and not yet running
            fail(f"Patroni refuses the restart: {status} {text}")
        self.cluster.wait_for_standby()

    def crash_primary(self):
        self.cluster.crash_database(self.cluster.primary())
        time.sleep(3)
        self.cluster.wait_for_standby()


class Sizes:
    """Memory and descriptors of the first node, and sizes of the tables."""

    def __init__(self, cluster):
        self.cluster, pid = cluster, cluster.pid("node-1")
        with open(f"/proc/{pid}/status") as file:
            self.mib = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        rows = cluster.psql("SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        self.tables = {name: int(size) for name, size in (row.split("|") for row in rows.split("\n"))}
        self.orders = int(cluster.psql("SELECT count(*) FROM orders"))

    def per_order(self):
        return sum(self.tables.values()) / max(1, self.orders)


def number(cluster, statement):
    return int(cluster.psql(statement) or 0)


def check_books(cluster, load):
    """What must hold whatever has happened."""
    tenant = load.tenant
    due = "SELECT count(*) FROM outbox_messages WHERE status = 'PENDING' AND due_at < 1000 * extract(epoch FROM now())"
    wait_for(lambda: number(cluster, due) == 0, "the outbox to become empty", 180)
    stored = set(cluster.psql(f"SELECT order_number FROM orders WHERE tenant_id = '{tenant}'").split("\n"))
    lost = load.acknowledged - stored
    problems = [f"{len(lost)} of {len(load.acknowledged)} acknowledged orders are lost"] if lost else []
    for sentence, statement in {
        "orders are stored twice": "SELECT count(*) - count(DISTINCT (tenant_id, order_number)) FROM orders",
        "statuses are counted wrongly": """SELECT count(*)
            FROM (SELECT tenant_id, status, count(*) n FROM orders WHERE deleted_at IS NULL GROUP BY 1, 2) o
            FULL JOIN (SELECT tenant_id, status, sum(orders) n FROM order_counters GROUP BY 1, 2) c USING (tenant_id, status)
            WHERE coalesce(o.n, 0) <> coalesce(c.n, 0)""",
        "products have a wrong stock": f"""SELECT count(*) FROM products p WHERE inventory_tracked AND stock_quantity <> {STOCK} - (
            SELECT coalesce(sum((item->>'quantity')::bigint), 0) FROM orders o, json_array_elements(o.items::json) item
            WHERE o.tenant_id = p.tenant_id AND item->>'productId' = p.id)""",
        # An interaction of the chat is answered at once or never, so one that a crash interrupted stays as it is.
        "provider's events were not processed": """SELECT count(*) FROM webhook_events
            WHERE source = 'PROVIDER' AND provider <> 'CHAT' AND status NOT IN ('PROCESSED', 'IGNORED')""",
        "messages are dead": "SELECT count(*) FROM outbox_messages WHERE status = 'DEAD'",
    }.items():
        count = number(cluster, statement)
        if count:
            problems.append(f"{count} {sentence}")
    events = set(cluster.psql("SELECT event_id FROM webhook_events WHERE provider = 'SHIPPING'").split("\n"))
    if load.events - events:
        problems.append(f"{len(load.events - events)} acknowledged events are lost")
    if load.gaps:
        problems.append(f"the streams of changes have {load.gaps} gaps")
    environment = cluster.node_command("node-1")[1]
    for command in (["audit", "verify"], ["fund", "verify"], ["reports", "rebuild"]):
        done = subprocess.run([BINARY, *command], env=environment, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            problems.append(f"guildhall {' '.join(command)}: {done.stdout[-500:]} {done.stderr[-500:]}")
    return problems


def check_growth(warm, late, idle_before, idle_after):
    problems = []
    if late.mib > 1.25 * warm.mib + 8:
        problems.append(f"the memory of node-1 grew from {warm.mib:.0f} to {late.mib:.0f} MiB")
    if idle_after.descriptors > idle_before.descriptors + 20:
        problems.append(f"node-1 has {idle_after.descriptors} descriptors when idle, and had {idle_before.descriptors}")
    if late.per_order() > 1.3 * warm.per_order():
        problems.append(f"the tables grew from {warm.per_order():.0f} to {late.per_order():.0f} bytes per order")
    for table in SMALL_TABLES:
        if late.tables.get(table, 0) > 16 << 20:
            problems.append(f"{table}, which has few rows, takes {late.tables[table] >> 20} MiB")
    return problems


def soak(cluster, minutes, pause=10):
    load = Mixed(cluster.port("haproxy"), cluster)
    faults, began = Faults(cluster), time.monotonic()
    idle_before, warm = Sizes(cluster), None
    with load:
        while time.monotonic() - began < minutes * 60:
            load.stopping.wait(pause)
            if warm is None and time.monotonic() - began > minutes * 60 * 0.3:
                warm = Sizes(cluster)
            faults.next()
        late = Sizes(cluster)
    settled = time.monotonic() + 90  # HAProxy closes its idle connections within a minute
    wait_for(lambda: time.monotonic() > settled or Sizes(cluster).descriptors <= idle_before.descriptors + 20, "idle", 120)
    problems = check_books(cluster, load) + check_growth(warm or late, late, idle_before, Sizes(cluster))
    requests, _, failures = load.counted()
    print(f"{minutes} minutes, faults: {faults.counts}\n"
          f"{requests:,} requests, {failures:,} failed during faults {load.failures_since(began)[2]}\n"
          f"{len(load.acknowledged):,} orders acknowledged ({load.interactions:,} in the chat), "
          f"{len(load.events):,} webhook events, {STREAMS} streams of changes, asked {load.reloads} times to reload\n"
          f"node-1: {(warm or late).mib:.0f} MiB after a third of the time, {late.mib:.0f} MiB at the end; "
          f"{(warm or late).per_order():,.0f} and {late.per_order():,.0f} bytes of tables per order", flush=True)
    if problems:
        fail("soak: " + "; ".join(problems))
    print("soak: everything that was acknowledged is stored, and the books balance")
