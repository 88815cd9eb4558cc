"""Digital delivery: how fast licences are validated, how soon a paid key is in the buyer's chat, and whether orders of other products
are as cheap as without it."""
import json, socket, statistics, tempfile, time
from datetime import datetime

from harness.fixed_rate import FixedRate
from harness.sandbox import Sandbox
from harness.servers import PASSWORD, Guildhall

SETTINGS = {"SERVICE_MASTER_KEY": "m" * 32, "INVOICE_LINK_SIGNING_SECRET": "i" * 32}
VALIDATE = "{}: p99 of POST /api/licences/validate, 5,000 a second"
VALIDATED_PER_SECOND, SOLD, UNITS, UNKNOWN = 5_000, 2_000, 10, 500
DELIVERED = "{}: payment webhook to the key in the buyer's chat, worst of 200"
ORDERS, PAID_PER_SECOND = 200, 10  # the platform takes 50 calls a second
PARTIES = ("CHAT_API_BASE_URL", "CHAT_BOT_TOKEN", "CHAT_APPLICATION_ID", "CHAT_INTERACTIONS_PUBLIC_KEY",
           "CRYPTO_GATEWAY_", "PUBLIC_BASE_URL")
BESIDE = "{}: POST order beside 1,000 deliverables, CPU, against none"
PRODUCTS_WITH_TEXTS, TEXTS = 50, 20
SHORT_ROUNDS = 4  # for each round: the machine's noise is larger than 2 %
BEFORE = "{}: POST order in a shop without deliverables, CPU, against --before"


def create_product(server, **details):
    sku = f"sku {time.monotonic_ns()}"  # the database may have those of an earlier measurement
    return server.create("/api/data/product", {"name": "Game", "sku": sku, "priceCents": 1500, **details})["id"]


def create_key_product(server, keys):
    product = create_product(server, isDigital=True)
    path = f"/api/data/product/{product}/deliverable"
    pool = server.create(path, {"kind": "KEY_POOL", "name": "Key"})["id"]
    server.create(f"{path}/{pool}/key", {"keys": keys})
    return product


def new_keys(count):
    mark = time.monotonic_ns()
    return [f"KEY-{mark}-{number:05}" for number in range(count)]


def order_of(product, number, units=1, **details):
    return {"orderNumber": f"{number}", "customer": {"name": "Bench"}, **details,
            "items": [{"productId": product, "name": "Game", "sku": "GAME", "quantity": units, "unitPriceCents": 1500}]}


def measure_validate(table, folder, name, seconds, engines):
    """The keys of one shop in turn: four that buyers have, then one that the shop does not know."""
    server = Guildhall(folder, *engines, loops=2, settings=SETTINGS)
    sold = new_keys(SOLD)
    product, mark = create_key_product(server, sold), time.monotonic_ns()
    for number in range(SOLD // UNITS):
        server.create("/api/data/order", order_of(product, f"{mark}-{number}", UNITS, status="PAID"))
    unknown = new_keys(UNKNOWN)

    def body_of(key):
        return {"tenantId": "default", "key": key}

    for key, status in ((sold[0], "ACTIVE"), (sold[-1], "ACTIVE"), (unknown[0], "UNKNOWN")):
        answer = json.loads(server.ask("POST", "/api/licences/validate", body_of(key), expected=200)[1])
        if answer["status"] != status:
            raise SystemExit(f"a key is {answer['status']} instead of {status}")

    def request_of(key):
        body = json.dumps(body_of(key))
        return (f"POST /api/licences/validate HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}").encode()

    share = SOLD // UNKNOWN
    mixed = [key for turn, wrong in enumerate(unknown) for key in (*sold[turn * share:(turn + 1) * share], wrong)]
    load = FixedRate(server.port, [request_of(key) for key in mixed])
    load.p99_ms(VALIDATED_PER_SECOND, 1)  # warms up
    figures = [load.p99_ms(VALIDATED_PER_SECOND, seconds) for _ in range(table.rounds)]
    table.limit(VALIDATE.format(name), statistics.median(figures), "ms", 5)
    load.close()
    server.stop()


def milliseconds(call):
    return datetime.fromisoformat(call["at"].replace("Z", "+00:00")).timestamp() * 1000


class DeliveredMessages:
    """Reads the sandbox's calls: when an order's payment was reported, and when its key came to the member who bought it."""

    def __init__(self, sandbox):
        self.sandbox, self.paid, self.members, self.delivered = sandbox, {}, {}, {}

    def read(self):
        for call in self.sandbox.new_calls():
            if call["party"] == "gateway" and call["direction"] == "out":
                order = json.loads(call["requestBody"])["metadata"]["orderId"]
                self.paid[order] = min(self.paid.get(order, milliseconds(call)), milliseconds(call))
            elif call["url"].endswith("/users/@me/channels"):
                self.members[json.loads(call["responseBody"])["id"]] = json.loads(call["requestBody"])["recipient_id"]
            elif call["url"].endswith("/messages") and "KEY-" in call["requestBody"] and call["status"] == 200:
                self.delivered.setdefault(self.members[call["url"].split("/")[-2]], milliseconds(call))


def register_guild(server, sandbox):
    code = json.loads(server.ask("POST", "/api/admin/chat/binding-code", {})[1])["code"]
    guild = sandbox.ask("GET", "/state")["guild"]
    sandbox.ask("POST", "/chat/command", {"member": guild["members"][0]["id"], "channel": guild["channels"][0]["id"],
                                          "name": "register", "options": {"code": code}})


def measure_delivered(table, folder, name, engines):
    """Each buyer pays for one key through the crypto gateway, with its signed webhook, and gets it in a direct message."""
    with socket.socket() as held:  # so that no connection to the sandbox gets the server's port
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        sandbox = Sandbox(folder, port)
    parties = {key: value for key, value in sandbox.ask("GET", "/env").items() if key.startswith(PARTIES)}
    server = Guildhall(folder, *engines, loops=2, port=port, settings={**parties, **SETTINGS})
    server.ask("PUT", "/api/admin/payment-methods", {"methods": [{"method": "BTC_GATEWAY", "enabled": True}]}, expected=200)
    register_guild(server, sandbox)
    product, mark, members = create_key_product(server, new_keys(ORDERS)), time.monotonic_ns(), {}
    for number in range(ORDERS):
        member = sandbox.ask("POST", "/chat/members", {"displayName": f"Buyer {number}"})["id"]
        customer = {"name": "Bench", "chatId": member}
        order = server.create("/api/data/order", order_of(product, f"{mark}-{number}", customer=customer))["id"]
        token = json.loads(server.ask("POST", f"/api/orders/{order}/invoice-link", {}, expected=200)[1])["token"]
        server.ask("POST", f"/orders/invoice/{token}/pay/BTC_GATEWAY", expected=303)
        members[order] = member
    messages = DeliveredMessages(sandbox)
    messages.read()
    began = time.monotonic()
    for turn, payment in enumerate(sandbox.ask("GET", "/state")["payments"]):
        time.sleep(max(0, began + turn / PAID_PER_SECOND - time.monotonic()))
        sandbox.ask("POST", f"/payments/{payment['id']}/pay", {})
        messages.read()
    until = time.monotonic() + 30
    while len(messages.delivered) < ORDERS and time.monotonic() < until:
        time.sleep(0.1)
        messages.read()
    if len(messages.delivered) < ORDERS:
        raise SystemExit(f"only {len(messages.delivered)} of {ORDERS} buyers got a key")
    worst = max(messages.delivered[member] - messages.paid[order] for order, member in members.items())
    table.limit(DELIVERED.format(name), worst, "ms", 2_000)
    server.stop()
    sandbox.stop()


def plain_order(server):
    """The body of orders of a product that delivers nothing."""
    return json.dumps(order_of(create_product(server, stockQuantity=1_000_000_000), "{n}"))


def cpu_of_orders(server, cookie, body, seconds):
    server.cookie = cookie
    return server.load("/api/data/order", seconds, 64, "create.lua", body)[1]


def measure_beside(table, folder, name, seconds, engines):
    """The product itself says that it delivers nothing, so an order must cost the same whatever its shop delivers besides."""
    server = Guildhall(folder, *engines, loops=2, settings=SETTINGS)
    full = server.cookie, plain_order(server)
    for _ in range(PRODUCTS_WITH_TEXTS):
        product = create_product(server, isDigital=True)
        for number in range(TEXTS):
            server.create(f"/api/data/product/{product}/deliverable", {"kind": "TEXT", "name": f"{number}", "content": "Hello"})
    owner = json.loads(server.ask("GET", "/auth/me", expected=200)[1])["session"]["user"]["userId"]
    tenant = f"shop-{time.monotonic_ns()}"
    server.create("/api/data/tenant", {"tenantId": tenant, "name": "Shop", "ownerUserId": owner})
    server.cookie = ""  # a sign-in with a session replaces that session
    server.sign_in("admin", PASSWORD, expected=200, tenant=tenant)
    empty = server.cookie, plain_order(server)
    table.compare(BESIDE.format(name), lambda: cpu_of_orders(server, *full, seconds),
                  lambda: cpu_of_orders(server, *empty, seconds), "µs", at_most=1.02, rounds=SHORT_ROUNDS * table.rounds)
    server.stop()


def measure_before(table, folder, binary, seconds):
    """Orders that all became slower are noticed only beside a binary without the feature. Each has a database of its own."""
    if not table.wanted(BEFORE.format("SQLite")):
        return
    with tempfile.TemporaryDirectory(dir=folder) as own, tempfile.TemporaryDirectory(dir=folder) as other:
        now, before = Guildhall(own, settings=SETTINGS), Guildhall(other, settings=SETTINGS, binary=binary)
        sides = [(server, server.cookie, plain_order(server), max(1, seconds // 2)) for server in (now, before)]
        table.compare(BEFORE.format("SQLite"), lambda: cpu_of_orders(*sides[0]), lambda: cpu_of_orders(*sides[1]), "µs",
                      at_most=1.02, rounds=SHORT_ROUNDS * table.rounds)
        now.stop()
        before.stop()


def measure_delivery(table, folder, name, seconds, *engines):
    rows = {VALIDATE: lambda own: measure_validate(table, own, name, seconds, engines),
            DELIVERED: lambda own: measure_delivered(table, own, name, engines),
            BESIDE: lambda own: measure_beside(table, own, name, max(1, seconds // 2), engines)}
    for row, measure in rows.items():
        if table.wanted(row.format(name)):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                measure(own)
