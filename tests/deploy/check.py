"""Tests the samples of deploy/ with the real programs. script/deploy-check runs it beside PostgreSQL and Redis.

    check.py samples             the syntax of every sample; the alerts, with promtool
    check.py prometheus          the dashboard and the rules have data from a node that Prometheus scrapes
    check.py haproxy nginx       a rolling restart of two nodes under load fails no request; HAProxy: frozen nodes, a database that is down
    check.py pgbouncer           session mode works, transaction mode is refused
    check.py upgrade OLD_BINARY  nodes of two releases on one database, while the new one migrates, under load
"""
import json, os, re, shutil, signal, ssl, subprocess, sys, tempfile, threading, time
import urllib.parse
from http.client import HTTPConnection, HTTPException, HTTPSConnection

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{ROOT}/bench")
from harness.servers import PASSWORD, free_port, wait_for  # noqa: E402

BINARY = os.environ.get("GUILDHALL_BINARY", f"{ROOT}/build/release/guildhall")
FOLDER = tempfile.mkdtemp(prefix="guildhall-deploy.")
DRAIN_SECONDS = 5  # as the samples say
CLIENTS = 8
processes = []


def fail(sentence):
    raise SystemExit(f"deploy-check: {sentence}")


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        fail(f"{' '.join(command)}: {done.stdout}")
    return done.stdout


def start(command, **options):
    log = open(f"{FOLDER}/{os.path.basename(command[0])}-{len(processes)}.log", "w+")
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, **options)
    process.log = log.name
    processes.append(process)
    return process


def read(path):
    with open(path) as file:
        return file.read()


def sample(path, changes):
    """A copy of a sample with the addresses of this test. Every change must apply, so that the sample itself is tested."""
    text = read(f"{ROOT}/deploy/{path}")
    for before, after in changes.items():
        if before not in text:
            fail(f"deploy/{path} has no {before}")
        text = text.replace(before, after)
    copy = f"{FOLDER}/{os.path.basename(path)}"
    with open(copy, "w") as file:
        file.write(text)
    return copy


def fresh_database():
    """A new database on the server of TEST_POSTGRES_URL."""
    name = f"deploy_{time.monotonic_ns()}"
    run("psql", "-q", os.environ["TEST_POSTGRES_URL"], "-c", f"CREATE DATABASE {name}")
    return re.sub(r"/[^/]*$", f"/{name}", os.environ["TEST_POSTGRES_URL"])


class Node:
    def __init__(self, database_url, binary=None, drain_seconds=DRAIN_SECONDS):
        self.port, self.binary, self.process = free_port(), binary or BINARY, None
        self.environment = {
            "PATH": os.environ["PATH"], "LISTEN_ADDR": f"127.0.0.1:{self.port}", "METRICS_ADDR": "off",
            "DATA_DIR": f"{FOLDER}/node-{self.port}", "DATABASE_URL": database_url, "CACHE_URL": os.environ.get("TEST_REDIS_URL", "memory:"),
            "SESSION_SIGNING_SECRET": "x" * 32, "LOCAL_AUTH_ENABLED": "true",
            "LOCAL_ADMIN_PASSWORD": PASSWORD, "RATE_LIMIT_DISABLED": "true", "LOG_REQUESTS": "0", "LOOPS": "1",
            "DRAIN_SECONDS": str(drain_seconds), "TRUSTED_PROXIES": "127.0.0.1", "DATABASE_CONNECTIONS": "4",
        }

    def start(self):
        self.process = start([self.binary, "serve"], env=self.environment)
        wait_for(lambda: self.process.poll() is not None or self.is_ready(), f"node {self.port}")
        if self.process.poll() is not None:
            fail(f"the node ended: {read(self.process.log)}")

    def is_ready(self):
        try:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60) != 0:
            fail(f"the node did not end well: {read(self.process.log)}")


class Load:
    """Clients that read and create orders without a pause, through connections that they keep."""

    def __init__(self, connect):
        self.connect, self.stopping, self.counts, self.failures, self.created = connect, False, {}, [], 0
        self.lock = threading.Lock()
        body = json.dumps({"username": "admin", "password": PASSWORD, "tenantId": "default"})
        connection = connect()
        connection.request("POST", "/auth/local/login", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        if reply.status != 200:
            fail(f"sign-in: {reply.status} {reply.read()}")
        self.cookie = reply.getheader("set-cookie").split(";")[0]
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(CLIENTS)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping = True
        for thread in self.threads:
            thread.join()

    def order(self, number):
        item = {"productId": "p", "name": "Mug", "sku": "M", "quantity": 1, "unitPriceCents": 100}
        return json.dumps({"orderNumber": number, "customer": {"name": "Ada"}, "items": [item]})

    def work(self, client):
        connection, last = self.connect(), None
        headers = {"Cookie": self.cookie, "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        for turn in range(10**9):
            if self.stopping:
                return
            number = f"{client}-{turn}-{time.monotonic_ns()}"
            request = [("GET", "/api/data/order?limit=5", None, {}), ("POST", "/api/data/order", self.order(number), {}),
                       ("GET", f"/api/data/order/{last}" if last else "/healthz", None, {}),
                       ("POST", "/api/data/order", self.order(number), {"Idempotency-Key": number})][turn % 4]
            method, path, body, more = request
            try:
                connection.request(method, path, body, {**headers, **more})
                reply = connection.getresponse()
                text = reply.read()
                ok = reply.status == (201 if method == "POST" else 200)
                outcome = f"{method} {reply.status}"
                if reply.getheader("connection") == "close":
                    connection = self.connect()
            except (OSError, HTTPException) as error:
                ok, outcome, text = False, f"{method} {type(error).__name__}", str(error).encode()
                connection = self.connect()
            with self.lock:
                self.counts[outcome] = self.counts.get(outcome, 0) + 1
                if ok and method == "POST":
                    self.created += 1
                    last = json.loads(text)["id"]
                if not ok:
                    self.failures.append(f"{outcome}: {text[:200].decode(errors='replace')}")

    def add(self, other):
        self.created += other.created
        self.failures += other.failures
        for outcome, count in other.counts.items():
            self.counts[outcome] = self.counts.get(outcome, 0) + count

    def requests(self):
        with self.lock:
            return sum(self.counts.values())

    def wait_for(self, more):
        """Waits until that many further requests have been answered."""
        target = self.requests() + more
        wait_for(lambda: self.requests() >= target, f"{more} requests", 120)

    def report(self, name, database_url):
        stored = int(run("psql", "-Atq", database_url, "-c", "SELECT count(*) FROM orders"))
        print(f"{name}: {self.requests()} requests {dict(sorted(self.counts.items()))}, {len(self.failures)} failed, "
              f"{self.created} orders acknowledged, {stored} stored")
        if self.failures:
            fail(f"{name}: requests failed: " + "; ".join(self.failures[:5]))
        if stored != self.created:
            fail(f"{name}: {self.created} orders were acknowledged, {stored} are stored")


def certificate():
    key, pem = f"{FOLDER}/shop.key", f"{FOLDER}/shop.crt"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=shop.example", "-keyout", key, "-out", pem)
    with open(f"{FOLDER}/shop.pem", "w") as both:
        both.write(read(pem) + read(key))
    return key, pem, f"{FOLDER}/shop.pem"


def tls_client(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return lambda: HTTPSConnection("127.0.0.1", port, timeout=60, context=context)


def haproxy(nodes, port):
    config = sample("haproxy/haproxy.cfg", {
        "10.0.0.11:8080": f"127.0.0.1:{nodes[0].port}", "10.0.0.12:8080": f"127.0.0.1:{nodes[1].port}",
        "maxconn 20000": "maxconn 1000", "bind :443 ": f"bind 127.0.0.1:{port} ", "bind :80\n": f"bind 127.0.0.1:{free_port()}\n",
        "/etc/haproxy/certs/shop.pem": certificate()[2]})
    run("haproxy", "-c", "-f", config)
    return ["haproxy", "-db", "-f", config]


def nginx(nodes, port):
    key, pem, _ = certificate()
    config = sample("nginx/guildhall.conf", {
        "10.0.0.11:8080": f"127.0.0.1:{nodes[0].port}", "10.0.0.12:8080": f"127.0.0.1:{nodes[1].port}",
        "listen 443 ": f"listen 127.0.0.1:{port} ", "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "/etc/ssl/shop.pem": pem, "/etc/ssl/shop.key": key})
    main = f"{FOLDER}/nginx.conf"
    paths = "".join(f"{kind}_temp_path {FOLDER}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(main, "w") as file:
        file.write(f"daemon off; pid {FOLDER}/nginx.pid; error_log stderr; events {{}}\n"
                   f"http {{ access_log off; {paths} include {config}; }}\n")
    run("nginx", "-t", "-c", main, "-e", "stderr")
    return ["nginx", "-c", main, "-e", "stderr"]


def rolling_restart(name, proxy):
    database = fresh_database()
    nodes = [Node(database), Node(database)]
    for node in nodes:
        node.start()
    port = free_port()
    running = start(proxy(nodes, port))
    connect = tls_client(port)

    def answers():
        if running.poll() is not None:
            fail(f"{name} ended: {read(running.log)}")
        try:
            connection = connect()
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False

    wait_for(answers, name)
    with Load(connect) as load:
        for node in nodes:
            load.wait_for(500)
            node.stop()
            load.wait_for(100)
            node.start()
            time.sleep(3)  # the proxy uses it again after two successful checks, or after fail_timeout
        load.wait_for(500)
    load.report(f"{name}, rolling restart", database)
    running.terminate()
    running.wait()
    for node in nodes:
        node.process.kill()


def outcomes_of_reads(connect):
    """The outcome of reads through the proxy, a connection each: statuses, or names of errors."""
    outcomes = []

    def read_one(connect):
        try:
            connection = connect()
            connection.request("GET", "/api/data/order")
            outcomes.append(connection.getresponse().status)
        except (OSError, HTTPException) as error:
            outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=read_one, args=(connect,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def haproxy_in_trouble():
    """A node that has vanished is given up when its check fails, and while no node is ready a node itself answers."""
    database = fresh_database()
    nodes = [Node(database), Node(database)]
    for node in nodes:
        node.start()
    port = free_port()
    running = start(haproxy(nodes, port))
    connect = tls_client(port)
    wait_for(lambda: outcomes_of_reads(connect) == [401] * 8, "HAProxy")
    nodes[0].process.send_signal(signal.SIGSTOP)
    if (outcomes := outcomes_of_reads(connect)) and any(each not in (401, 502, 503) for each in outcomes):
        fail(f"HAProxy, a frozen node: {outcomes}")
    wait_for(lambda: outcomes_of_reads(connect) == [401] * 8, "the other node")
    nodes[0].process.send_signal(signal.SIGCONT)

    run("psql", "-q", os.environ["TEST_POSTGRES_URL"], "-c", f"ALTER DATABASE {database.rsplit('/', 1)[1]} ALLOW_CONNECTIONS false")
    run("psql", "-q", os.environ["TEST_POSTGRES_URL"], "-c",
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database.rsplit('/', 1)[1]}'")

    def own_answer():
        connection = connect()
        connection.request("GET", "/readyz")
        reply = connection.getresponse()
        return reply.status == 503 and "database" in json.loads(reply.read() if "json" in reply.getheader("content-type", "") else "{}")

    wait_for(own_answer, "the answer of a node whose database is down")
    time.sleep(4)  # until the checks have failed
    if not own_answer():
        fail("HAProxy answers itself while no node is ready")
    print("HAProxy: a frozen node is given up; without a ready node, a node says why")
    running.terminate()
    for node in nodes:
        node.process.kill()


def pgbouncer():
    database = fresh_database()
    server = re.fullmatch(r"postgresql://([^@]+)@([^:]+):(\d+)/(.+)", database)
    user, host, port, name = server.groups()
    os.chmod(FOLDER, 0o777)
    for mode in ("session", "transaction"):
        listen = free_port()
        config = sample("pgbouncer/pgbouncer.ini", {
            "guildhall = host=10.0.0.21 port=5432 dbname=guildhall": f"{name} = host={host} port={port} dbname={name}",
            "listen_addr = 10.0.0.20": "listen_addr = 127.0.0.1", "listen_port = 6432": f"listen_port = {listen}\nunix_socket_dir =",
            "auth_type = scram-sha-256\nauth_file = /etc/pgbouncer/userlist.txt": f"auth_type = trust\nauth_file = {users_file(user)}",
            "pool_mode = session\n": f"pool_mode = {mode}\n"})
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        bouncer = start([*as_user, "pgbouncer", config])
        url = f"postgresql://{user}@127.0.0.1:{listen}/{name}"
        wait_for(lambda: subprocess.run(["psql", "-Atqc", "SELECT 1", url], capture_output=True).returncode == 0, "pgbouncer")
        if mode == "session":
            node = Node(url, drain_seconds=0)
            node.start()
            with Load(lambda: HTTPConnection("127.0.0.1", node.port, timeout=60)) as load:
                load.wait_for(1000)
            load.report("PgBouncer in session mode", database)
            node.stop()
        else:
            refused = subprocess.run([BINARY, "serve"], env=Node(url).environment, capture_output=True, text=True, timeout=60)
            if refused.returncode != 1 or "pool_mode = session" not in refused.stderr:
                fail(f"transaction mode is not refused: {refused.returncode} {refused.stderr}")
            print("PgBouncer in transaction mode: refused, as it should be")
        bouncer.terminate()
        bouncer.wait()


def users_file(user):
    path = f"{FOLDER}/users.txt"
    with open(path, "w") as file:
        file.write(f'"{user}" ""\n')
    os.chmod(path, 0o644)
    return path


def upgrade(old_binary):
    """The last release serves under load; the present one starts, migrates and serves beside it."""
    database = fresh_database()
    old, new = Node(database, old_binary, drain_seconds=0), Node(database, drain_seconds=0)

    def client_of(node):
        return lambda: HTTPConnection("127.0.0.1", node.port, timeout=60)

    def migrations():
        return int(run("psql", "-Atq", database, "-c", "SELECT count(*) FROM schema_migrations"))

    old.start()
    before = migrations()
    with Load(client_of(old)) as load:
        load.wait_for(500)
        new.start()
        with Load(client_of(new)) as beside:
            load.wait_for(1000)
            beside.wait_for(1000)
    load.add(beside)
    load.report(f"upgrade, {migrations() - before} migrations applied beside the last release", database)
    new.stop()
    old.stop()
    old.start()
    print("the last release starts on the migrated database")
    old.stop()


def dashboard_panels():
    return json.loads(read(f"{ROOT}/deploy/grafana/guildhall.json"))["panels"]


def expressions_of(panel, interval="5m"):
    """The expressions of a panel, with the values that Grafana would put into them."""
    for target in panel.get("targets", []):
        yield target["expr"].replace("$__rate_interval", interval).replace("$job", "guildhall").replace("$instance", ".*")


def check_dashboard():
    """Every expression of the dashboard must be one that Prometheus can parse, and no two panels may overlap."""
    rules, places = [], set()
    for panel in dashboard_panels():
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        if cells & places or place["x"] + place["w"] > 24:
            fail(f"the dashboard's panel {panel['title']} overlaps another one")
        places |= cells
        for expression in expressions_of(panel):
            rules.append({"record": f"panel:{len(rules)}", "expr": expression})
    with open(f"{FOLDER}/dashboard.yml", "w") as file:
        json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)  # YAML contains JSON
    run("promtool", "check", "rules", f"{FOLDER}/dashboard.yml")
    print(f"{len(rules)} expressions of the dashboard are valid")


class Prometheus:
    """Prometheus with the sample's configuration, except that it scrapes one node, every second."""

    def __init__(self, metrics_port):
        shutil.copy(f"{ROOT}/deploy/prometheus/rules.yml", FOLDER)
        config = sample("prometheus/prometheus.yml", {
            '["10.0.0.11:9464", "10.0.0.12:9464"]': f'["127.0.0.1:{metrics_port}"]', "scrape_interval: 15s": "scrape_interval: 1s",
            "evaluation_interval: 15s": "evaluation_interval: 1s"})
        self.port = free_port()
        self.process = start(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={FOLDER}/series",
                              f"--web.listen-address=127.0.0.1:{self.port}"])

    def get(self, path, **parameters):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", f"/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
        answer = json.loads(connection.getresponse().read())
        if answer["status"] != "success":
            fail(f"Prometheus refuses {parameters}: {answer['error']}")
        return answer["data"]

    def query(self, expression):
        return self.get("query", query=expression)["result"]

    def scrapes(self):
        try:
            return self.query('max(count_over_time(up{job="guildhall"}[5m]))')
        except (OSError, ValueError):  # while it starts, it does not answer, or not with JSON
            return []

    def wait_for_scrapes(self, count):
        wait_for(lambda: any(int(each["value"][1]) >= count for each in self.scrapes()), f"{count} scrapes", 60)


def check_names(prometheus, expression):
    """All metrics of an expression must have series, and these all labels that it uses."""
    bare = re.sub(r'"[^"]*"', '""', expression)
    labels = set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", bare))
    for grouping in re.findall(r"\b(?:by|on|without)\s*\(([^)]*)\)", bare):
        labels |= {label.strip() for label in grouping.split(",")}
    names = set(re.findall(r"[a-z][a-z0-9]*[_:][a-z0-9_:]*[a-z0-9]|\bup\b", re.sub(r"\{[^}]*\}|\[[^]]*\]|\b(?:by|on)\s*\([^)]*\)", "", bare)))
    names -= {"histogram_quantile", "count_over_time"}
    known = set()
    for name in names:
        series = prometheus.query(name)
        if not series:
            fail(f"no node exports {name}, which {expression} uses")
        known |= {label for each in series for label in each["metric"]}
    if not names and "ALERTS" not in expression:
        fail(f"{expression} names no metric")
    if names and labels - known:
        fail(f"{expression} uses {labels - known}, but the series of {names} only have {known}")


def prometheus():
    """Under load, every panel of the dashboard and every rule must use metrics and labels that exist."""
    node = Node(fresh_database(), drain_seconds=0)
    metrics_port = free_port()
    node.environment |= {"METRICS_ADDR": f"127.0.0.1:{metrics_port}", "OTLP_ENDPOINT": f"http://127.0.0.1:{free_port()}",
                         "RATE_LIMIT_DISABLED": "false", "RATE_LIMIT_TENANT_PER_MIN": "1000000", "RATE_LIMIT_SIGN_IN_PER_MIN": "1",
                         "BACKUP_SCHEDULE": "24h", "BACKUP_DIR": f"{FOLDER}/backups",
                         "DATABASE_READ_URL": node.environment["DATABASE_URL"]}  # no replica: the node says so in its metrics
    node.start()
    server = Prometheus(metrics_port)

    def connect():
        return HTTPConnection("127.0.0.1", node.port, timeout=60)

    with Load(connect) as load:
        refused = connect()
        refused.request("POST", "/auth/local/login", "{}", {"Content-Type": "application/json"})
        if refused.getresponse().status != 429:
            fail("a second sign-in is not refused")
        load.wait_for(100)
        server.wait_for_scrapes(6)
        panels = [expression for panel in dashboard_panels() for expression in expressions_of(panel, "4s")]
        rules = [rule for group in server.get("rules")["groups"] for rule in group["rules"]]
        for expression in panels + [rule["query"] for rule in rules]:
            check_names(server, expression)
        empty = [expression for expression in panels if not server.query(expression)]
    for rule in rules:
        if rule["health"] != "ok" or rule.get("state") == "firing":
            fail(f"the rule {rule['name']} is {rule['health']} {rule.get('state')}: {rule.get('lastError')}")
    for expression in empty:
        if "> 0" not in expression:
            fail(f"a panel has no data: {expression}")
    print(f"{len(panels)} expressions of the dashboard and {len(rules)} rules use metrics that a node exports; "
          f"{len(panels) - len(empty)} panels had data")
    node.stop()
    server.process.terminate()


def samples():
    nodes = [Node(""), Node("")]
    haproxy(nodes, free_port())
    nginx(nodes, free_port())
    check_dashboard()
    folder = f"{ROOT}/deploy/prometheus"
    run("promtool", "check", "config", "--syntax-only", f"{folder}/prometheus.yml")
    run("promtool", "check", "rules", f"{folder}/rules.yml")
    print(run("promtool", "test", "rules", f"{folder}/rules_test.yml").strip())


def main(arguments):
    steps = {"samples": samples, "prometheus": prometheus, "pgbouncer": pgbouncer, "haproxy": lambda: (rolling_restart("HAProxy", haproxy), haproxy_in_trouble()),
             "nginx": lambda: rolling_restart("nginx", nginx)}
    os.environ["PATH"] += ":/usr/sbin:" + os.environ.get("TEST_POSTGRES_BIN", "")
    try:
        while arguments:
            step = arguments.pop(0)
            if step == "upgrade":
                upgrade(arguments.pop(0))
            elif step in steps:
                steps[step]()
            else:
                fail(f"there is no step {step}")
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
        shutil.rmtree(FOLDER, ignore_errors=True)


main(sys.argv[1:])
