"""What one order, one customer, one session and one connection cost: the figures of the capacity model in docs/scaling.md."""
import json, os, re, socket, time

from harness.connections import KeptConnections, can_open
from harness import load
from harness.processes import cpu_seconds, resident_mib
from harness.servers import Guildhall

CONNECTIONS = 5000


def psql(statement):
    return load.psql(os.environ["TEST_POSTGRES_URL"], statement)


def database_cpu_seconds():
    """CPU time of PostgreSQL's processes that run now."""
    with open(f"{os.environ['TEST_SERVICES_DIR']}/pg/postmaster.pid") as file:
        parent = file.readline().strip()
    total = 0
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                if file.read().rsplit(")", 1)[1].split()[1] == parent:
                    total += cpu_seconds(entry)
        except OSError:
            pass
    return total


def redis(*words):
    """The answer to one command, as text."""
    host, port = re.fullmatch(r"redis://([^:]+):(\d+)", os.environ["TEST_REDIS_URL"]).groups()
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall("".join([f"*{len(words)}\r\n", *(f"${len(word)}\r\n{word}\r\n" for word in words)]).encode())
        time.sleep(0.2)
        return connection.recv(1 << 20).decode()


def redis_bytes():
    return int(re.search(r"used_memory_dataset:(\d+)", redis("INFO", "memory")).group(1))


def table_bytes():
    rows = psql("SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
    return {name: int(size) for name, size in (row.split("|") for row in rows.splitlines())}


def cost_of_creates(server, name, count, path, body, seconds):
    """Creates records in the table `count` for some seconds and prints what each has cost."""
    before = cpu_seconds(server.process.pid), database_cpu_seconds(), table_bytes(), int(psql(f"SELECT count(*) FROM {count}"))
    server.load(path, seconds, 32, "create.lua", body)
    made = int(psql(f"SELECT count(*) FROM {count}")) - before[3]
    ours, theirs = cpu_seconds(server.process.pid) - before[0], database_cpu_seconds() - before[1]
    print(f"one {name}: {ours * 1e6 / made:,.0f} µs of CPU in Guildhall, {theirs * 1e6 / made:,.0f} µs in PostgreSQL, of {made:,} created")
    psql("VACUUM ANALYZE")
    sizes = {table: (size - before[2][table]) / made for table, size in table_bytes().items()}
    largest = ", ".join(f"{table} {size:,.0f}" for table, size in sorted(sizes.items(), key=lambda each: -each[1]) if size >= 10)
    print(f"one {name}: {sum(sizes.values()):,.0f} bytes of tables and indexes ({largest})")


def measure_costs(folder, order, customer, seconds):
    server = Guildhall(folder, os.environ["TEST_POSTGRES_URL"], os.environ["TEST_REDIS_URL"], loops=2,
                       settings={"TRUSTED_PROXIES": "127.0.0.1"})
    products = [server.create("/api/data/product", {"name": name, "sku": name, "priceCents": 1500, "inventoryTracked": True,
                                                    "stockQuantity": 1_000_000_000})["id"] for name in ("MUG-1", "SHIRT-1")]
    tracked = order.replace('"p1"', json.dumps(products[0])).replace('"p2"', json.dumps(products[1]))
    cost_of_creates(server, "order", "orders", "/api/data/order", order, seconds)
    cost_of_creates(server, "order of the same two tracked products", "orders", "/api/data/order", tracked, seconds)
    cost_of_creates(server, "customer", "customers", "/api/data/customer", customer, seconds)
    path = f"/api/data/order/{json.loads(server.ask('GET', '/api/data/order?limit=1')[1])['items'][0]['id']}"
    before = database_cpu_seconds()
    rate, ours = server.load(path, seconds, 32)
    print(f"one read: {ours:,.0f} µs of CPU in Guildhall, {(database_cpu_seconds() - before) * 1e6 / (rate * seconds):,.0f} µs in PostgreSQL")
    before, sessions = redis_bytes(), 100
    for _ in range(sessions):
        server.cookie = ""
        server.sign_in("admin", "bench-password", expected=200)
    print(f"one session: {(redis_bytes() - before) / sessions:,.0f} bytes in Redis")
    if can_open(CONNECTIONS):
        before = resident_mib(server.process.pid)
        kept = KeptConnections(server, CONNECTIONS, path)
        print(f"one connection: {(resident_mib(server.process.pid) - before) * 1024 / CONNECTIONS:.1f} KiB in Guildhall")
        kept.close()
    connections = psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'guildhall'")
    print(f"one node: {connections} connections to PostgreSQL")
    server.stop()
