"""Vendure beside Guildhall: the same shop on the same PostgreSQL, the same work, one after the other in one run."""
import http.client, json, os, shutil, time, urllib.parse

from harness.load import psql, wrk
from harness.processes import ROOT, resident_mib, run, start, stop
from harness.servers import BINARY, PASSWORD, free_port, wait_for

ORDERS = 10_000
ORDER_FIELDS = """id code state createdAt currencyCode subTotal shipping total customer { id firstName lastName emailAddress }
  lines { id quantity unitPrice linePrice productVariant { id name sku } }"""
READ_ORDER = f"query($id: ID!) {{ order(id: $id) {{ {ORDER_FIELDS} }} }}"
DIFFERENT = 1_000  # orders that are read in turn


def folder_mib(path):
    return int(run(["du", "-sm", path], within=60).split()[0])


class Vendure:
    """Vendure from npm in a temporary folder, one process, as its documentation starts it in production."""

    def __init__(self, folder, postgres_url):
        self.home, self.port, self.token = f"{folder}/vendure", free_port(), None
        shutil.copytree(f"{ROOT}/bench/peers", self.home)
        run(["npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--silent"], within=900, cwd=self.home)
        parts = urllib.parse.urlsplit(postgres_url)
        psql(postgres_url, "CREATE DATABASE vendure")
        self.database = urllib.parse.urlunsplit(parts._replace(path="/vendure"))
        self.environment = {"PATH": os.environ["PATH"], "NODE_ENV": "production", "PORT": str(self.port),
                            "PEER_PASSWORD": PASSWORD, "PGHOST": parts.hostname, "PGPORT": str(parts.port or 5432),
                            "PGUSER": parts.username or "", "PGPASSWORD": parts.password or "", "PGDATABASE": "vendure"}
        run(["node", "vendure.mjs", "seed"], within=300, cwd=self.home, env=self.environment)
        began = time.monotonic()
        self.process = start(["node", "vendure.mjs"], cwd=self.home, env=self.environment)
        wait_for(self.is_ready, "vendure", within=120)
        self.start_ms = (time.monotonic() - began) * 1000
        self.idle_mib = resident_mib(self.process.pid)
        self.installed_mib = folder_mib(self.home)
        self.seed()

    def is_ready(self):
        try:
            return self.ask("/admin-api", "query { __typename }") is not None
        except (OSError, http.client.HTTPException):
            return False

    def ask(self, path, query, variables=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        connection.request("POST", path, json.dumps({"query": query, "variables": variables}), headers)
        reply = connection.getresponse()
        answer = json.loads(reply.read())
        if answer.get("errors"):
            raise SystemExit(f"vendure: {json.dumps(answer['errors'])[:2000]}")
        self.token = reply.getheader("vendure-auth-token") or self.token
        connection.close()
        return answer["data"]

    def seed(self):
        """Two tracked products, and ORDERS paid orders of both: one is bought, the others are its copies."""
        self.ask("/admin-api", "mutation($p: String!) { login(username: \"admin\", password: $p) { __typename } }",
                 {"p": PASSWORD})
        self.variants = []
        for name, price in (("Mug", 1500), ("Shirt", 2500)):
            product = self.ask("/admin-api", "mutation($i: CreateProductInput!) { createProduct(input: $i) { id } }", {
                "i": {"enabled": True, "translations": [{"languageCode": "en", "name": name, "slug": name.lower(),
                                                         "description": ""}]}})["createProduct"]["id"]
            variant = self.ask(
                "/admin-api", "mutation($i: [CreateProductVariantInput!]!) { createProductVariants(input: $i) { id } }",
                {"i": [{"productId": product, "sku": name, "price": price, "stockOnHand": 1_000_000_000,
                        "trackInventory": "TRUE", "translations": [{"languageCode": "en", "name": name}]}]})
            self.variants.append(variant["createProductVariants"][0]["id"])
        self.flow("checkout", 1, 0.1)
        copy_orders(self.database, ORDERS)
        orders = self.ask("/admin-api", "query { orders(options: { take: 1 }) { totalItems items { id state } } }")["orders"]
        if orders["totalItems"] < ORDERS:
            raise SystemExit(f"vendure: has {orders['totalItems']} orders")
        self.order = orders["items"][0]["id"]

    def flow(self, name, connections, seconds):
        """Finished orders a second of a flow of bench/peers/flows.mjs."""
        environment = {**self.environment, "PEER_URL": f"http://127.0.0.1:{self.port}", "PEER_TOKEN": self.token or "",
                       "PEER_VARIANTS": ",".join(self.variants)}
        return float(run(["node", "flows.mjs", name, str(connections), str(seconds)], within=seconds + 120, cwd=self.home,
                         env=environment))

    def load(self, query, variables, connections, seconds):
        body = json.dumps({"query": query, "variables": variables})
        return wrk(f"http://127.0.0.1:{self.port}/admin-api", seconds, connections, "graphql.lua",
                   {"BENCH_TOKEN": self.token, "BENCH_BODY": body})[0]

    def read(self, connections, seconds):
        return self.load(READ_ORDER, {"id": self.order}, connections, seconds)

    def read_each(self, connections, seconds):
        ids = psql(self.database, f'SELECT id FROM "order" ORDER BY id DESC LIMIT {DIFFERENT}')
        return load_each(self.port, "POST", "/admin-api", ids, connections, seconds, {
            "BENCH_AUTHORIZATION": f"Bearer {self.token}",
            "BENCH_BODY": json.dumps({"query": READ_ORDER, "variables": {"id": "{id}"}})})

    def page(self, connections, seconds):
        return self.load(f"query {{ orders(options: {{ take: 50, sort: {{ createdAt: DESC }} }}) {{ totalItems items {{"
                         f" {ORDER_FIELDS} }} }} }}", {}, connections, seconds)

    def create(self, connections, seconds):
        return self.flow("draft", connections, seconds)

    def paid(self, connections, seconds):
        return self.flow("checkout", connections, seconds)

    def stop(self):
        stop(self.process)


def columns(url, table):
    names = psql(url, f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
                      " AND table_schema = 'public' ORDER BY ordinal_position").split("\n")
    return [name for name in names if name]


def copy_orders(url, count):
    """Copies the only order with its lines until there are so many, with the same columns and a code of its own."""
    def listed(names, changed):
        quoted = [f'"{name}"' for name in names]
        return ", ".join(quoted), ", ".join(changed.get(name, f'r."{name}"') for name in names)

    order = [name for name in columns(url, "order") if name != "id"]
    names, values = listed(order, {"code": "'COPY' || n"})
    line = [name for name in columns(url, "order_line") if name != "id"]
    line_names, line_values = listed(line, {"orderId": "o.id"})
    channel = columns(url, "order_channels_channel")
    channel_names, channel_values = listed(channel, {"orderId": "o.id"})
    psql(url, f"""
        INSERT INTO "order" ({names}) SELECT {values} FROM "order" r, generate_series(1, {count}) AS n;
        INSERT INTO order_line ({line_names}) SELECT {line_values} FROM order_line r, "order" o WHERE o.code LIKE 'COPY%';
        INSERT INTO order_channels_channel ({channel_names}) SELECT {channel_values} FROM order_channels_channel r, "order" o
          WHERE o.code LIKE 'COPY%';
        ANALYZE""")


def load_each(port, method, path, ids, connections, seconds, environment):
    return wrk(f"http://127.0.0.1:{port}", seconds, connections, "each.lua",
               {**environment, "BENCH_METHOD": method, "BENCH_PATH": path, "BENCH_IDS": ",".join(ids.split())})[0]


class Shop:
    """The same shop in Guildhall: two tracked products and as many orders."""

    def __init__(self, server, orders=ORDERS):
        self.server = server
        mark = time.monotonic_ns()  # the database may have the products of an earlier measurement
        self.products = [server.create("/api/data/product", {"name": name, "sku": f"{name} {mark}", "priceCents": price,
                                                             "stockQuantity": 1_000_000_000})["id"]
                         for name, price in (("Mug", 1500), ("Shirt", 2500))]
        self.body = json.dumps({
            "orderNumber": "{n}", "customer": {"name": "Bench Buyer", "email": "{n}@example.org"},
            "shippingAddress": {"name": "Bench", "line1": "Street 1", "city": "Berlin", "postalCode": "10115",
                                "country": "DE"},
            "items": [{"productId": product, "name": name, "sku": name, "quantity": 1, "unitPriceCents": price}
                      for product, name, price in zip(self.products, ("Mug", "Shirt"), (1500, 2500))]})
        made = 0
        while made < orders:
            made += self.create(64, 2) * 2
        number = f"sample {time.monotonic_ns()}"
        self.order = server.create("/api/data/order", json.loads(self.body.replace("{n}", number)))["id"]

    def read(self, connections, seconds):
        return self.server.load(f"/api/data/order/{self.order}", seconds, connections)[0]

    def read_each(self, connections, seconds):
        ids = psql(os.environ["TEST_POSTGRES_URL"], f"SELECT id FROM orders ORDER BY id DESC LIMIT {DIFFERENT}")
        return load_each(self.server.port, "GET", "/api/data/order/{id}", ids, connections, seconds,
                         {"BENCH_COOKIE": self.server.cookie, "BENCH_BODY": ""})

    def page(self, connections, seconds):
        return self.server.load("/api/data/order?limit=50&total=true", seconds, connections)[0]

    def create(self, connections, seconds):
        return self.server.load("/api/data/order", seconds, connections, "create.lua", self.body)[0]

    def paid(self, connections, seconds):
        """Each order is two requests: it is placed, then marked as paid."""
        return self.server.load("/api/data/order", seconds, connections, "paid.lua", self.body)[0] / 2


WORK = (("read", "read one order"), ("read_each", f"read {DIFFERENT:,} orders in turn"), ("page", "list 50 orders"),
        ("create", "create an order of two tracked lines"), ("paid", "order to paid"))


def compare(table, shop, vendure, seconds, budgets):
    for work, name in WORK:
        for connections in (1, 32):
            plural = "connection" if connections == 1 else "connections"
            table.compare(f"{name}, {connections} {plural}", lambda: getattr(shop, work)(connections, seconds),
                          lambda: getattr(vendure, work)(connections, seconds), "/s",
                          at_least=budgets.get(work, 1) if connections == 32 else 1)
    table.add("idle memory", shop.server.idle_mib, vendure.idle_mib, "MiB", at_most=1)
    table.add("start to ready", shop.server.start_ms, vendure.start_ms, "ms", at_most=1)
    stripped = f"{vendure.home}/stripped"
    run(["strip", "-o", stripped, BINARY], within=60)
    table.add("installed size", os.path.getsize(stripped) / 2**20, vendure.installed_mib, "MiB", at_most=1)
