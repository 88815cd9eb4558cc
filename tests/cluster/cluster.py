"""A cluster on loopback, in a folder of its own: nodes behind HAProxy, PostgreSQL with a synchronous standby under Patroni
and etcd, and Redis. The configurations are the samples of deploy/ with other addresses."""
import json, os, secrets, shutil, signal, socket, subprocess, sys, tempfile, time
import urllib.error, urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{ROOT}/bench")
from harness.servers import PASSWORD, wait_for  # noqa: E402

BINARY = os.environ.get("GUILDHALL_BINARY", f"{ROOT}/build/release/guildhall")
DEFAULT_FOLDER = os.environ.get("CLUSTER_DIR", f"{tempfile.gettempdir()}/guildhall-cluster")
DATABASES = ("postgres-a", "postgres-b")
PG_BIN = "/usr/lib/postgresql/15/bin"
os.environ["PATH"] += ":/usr/sbin"


def fail(sentence):
    raise SystemExit(f"cluster: {sentence}")


def free_ports(count):
    """Different ports: all are bound before the first is released."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def ask(method, url, body=None, timeout=5):
    """The status and the text of an answer; (0, reason) if there is none."""
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method,
                                     headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def sample(path, changes):
    """The text of a sample with other addresses. Every change must apply, so that the sample itself is tested."""
    with open(f"{ROOT}/deploy/{path}") as file:
        text = file.read()
    for before, after in changes.items():
        if before not in text:
            fail(f"deploy/{path} has no {before!r}")
        text = text.replace(before, after)
    return text


def start_time(pid):
    """When the process started, in ticks; None if it has ended. A process id alone may belong to another one by now."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[19])


class Cluster:
    """Processes are known by name: etcd, redis, postgres-a, postgres-b (each a Patroni), node-1 …, haproxy."""

    def __init__(self, folder=DEFAULT_FOLDER):
        self.folder, self.file = folder, f"{folder}/cluster.json"
        self.state = None
        if os.path.exists(self.file):
            with open(self.file) as file:
                self.state = json.load(file)

    # Starting and stopping

    def create(self, nodes, settings=None):
        """Starts everything. `settings` are environment variables of the nodes; those of the caller have priority."""
        if self.state:
            fail(f"there is a cluster in {self.folder}: script/cluster stop")
        os.makedirs(self.folder, mode=0o711, exist_ok=True)
        os.chmod(self.folder, 0o711)  # PostgreSQL has its own user
        names = ["etcd", "etcd-peer", "redis", "haproxy"] + [f"rest-{each}" for each in DATABASES] + list(DATABASES)
        names += [f"{kind}-{number}" for number in range(1, nodes + 1) for kind in ("node", "metrics")]
        self.state = {"nodes": nodes, "settings": settings or {}, "processes": {}, "ports": dict(zip(names, free_ports(len(names)))),
                      "secrets": {name: secrets.token_hex(16) for name in ("superuser", "replication", "guildhall", "signing", "link")}}
        self.save()
        self.start("etcd")
        self.start("redis")
        wait_for(lambda: ask("GET", f"http://{self.address('etcd')}/health")[0] == 200, "etcd")
        for name in DATABASES:
            self.start(name)
            wait_for(lambda: self.role(name) is not None, name, 90)
        self.wait_for_standby()
        self.psql(f"CREATE ROLE guildhall LOGIN PASSWORD '{self.state['secrets']['guildhall']}'", superuser=True)
        self.psql("CREATE DATABASE guildhall OWNER guildhall", superuser=True)
        for name in self.node_names():
            self.start(name)
            self.wait_until_ready(name)
        self.start("haproxy")
        wait_for(lambda: all(self.proxy_uses(name) for name in self.node_names()), "HAProxy")
        return self

    def save(self):
        with open(os.open(f"{self.file}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(self.state, file, indent=1)
        os.replace(f"{self.file}.new", self.file)

    def start(self, name):
        command, environment = getattr(self, f"{name.split('-')[0]}_command")(name)
        with open(f"{self.folder}/{name}.log", "a") as log:
            # A session of its own: Ctrl-C in the terminal must not reach it.
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, cwd=self.folder, start_new_session=True)
        self.state["processes"][name] = {"pid": process.pid, "started": start_time(process.pid)}
        self.save()

    def stop(self, name, within=60):
        """Asks the process to end, and ends it when it takes too long. Returns whether it ended by itself."""
        if not self.signal(name, signal.SIGTERM):
            return True
        deadline = time.monotonic() + within
        while self.is_running(name):
            if time.monotonic() > deadline:
                self.kill(name)
                return False
            time.sleep(0.02)
        return True

    def crash_database(self, name):
        """Ends PostgreSQL's processes without Patroni's."""
        for pid in self.database_processes(name):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def kill(self, name):
        """As if the machine had lost its power: nothing of the process is left, nor of the PostgreSQL below Patroni."""
        self.signal(name, signal.SIGKILL)
        if name in DATABASES:
            self.crash_database(name)
        wait_for(lambda: not self.is_running(name) and not (name in DATABASES and self.database_processes(name)), f"the end of {name}")

    def stop_all(self):
        if not self.state:
            return
        for name in self.node_names():  # at the same time, because they drain
            self.signal(name, signal.SIGCONT)
            self.signal(name, signal.SIGTERM)
        for name in ["haproxy", *self.node_names(), *DATABASES, "redis", "etcd"]:
            self.signal(name, signal.SIGCONT)
            self.stop(name, within=30)
            if name in DATABASES:
                self.kill(name)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.state = None

    def signal(self, name, number):
        """Returns false if the process has ended."""
        if not self.is_running(name):
            return False
        os.kill(self.pid(name), number)
        return True

    def pid(self, name):
        return self.state["processes"][name]["pid"]

    def is_running(self, name):
        process = self.state["processes"].get(name)
        return process is not None and start_time(process["pid"]) == process["started"]

    def database_processes(self, name):
        """PostgreSQL's processes work in its data folder."""
        found = []
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and os.readlink(f"/proc/{entry}/cwd") == f"{self.folder}/{name}/data":
                    found.append(int(entry))
            except OSError:
                pass
        return found

    # What each process runs

    def etcd_command(self, _):
        text = sample("etcd/etcd.yml", {
            "http://10.0.0.31:2379": f"http://{self.address('etcd')}", "http://10.0.0.31:2380": f"http://{self.address('etcd-peer')}",
            ",b=http://10.0.0.32:2380,c=http://10.0.0.33:2380": "", "/var/lib/etcd/guildhall": f"{self.folder}/etcd"})
        # Debian's etcd 3.4 runs on ARM only if it is told to.
        arch = {"ETCD_UNSUPPORTED_ARCH": "arm64"} if os.uname().machine == "aarch64" else {}
        return ["etcd", "--config-file", self.write("etcd.yml", text)], {**os.environ, **arch}

    def redis_command(self, _):
        os.makedirs(f"{self.folder}/redis", exist_ok=True)
        return ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port("redis")), "--dir", f"{self.folder}/redis",
                "--save", "", "--appendonly", "yes"], os.environ

    def postgres_command(self, name):
        own = f"{self.folder}/{name}"
        os.makedirs(own, mode=0o700, exist_ok=True)
        words = self.state["secrets"]
        text = sample("patroni/patroni.yml", {
            "name: a\n": f"name: {name}\n", "10.0.0.21:8008": self.address(f"rest-{name}"),
            "listen: 10.0.0.21:5432": f"listen: {self.address(name)}",
            "connect_address: 10.0.0.21:5432": f"connect_address: {self.address(name)}",
            "10.0.0.31:2379,10.0.0.32:2379,10.0.0.33:2379": self.address("etcd"), "/var/lib/postgresql/15/guildhall": f"{own}/data",
            "/var/lib/postgresql/.guildhall-pgpass": f"{own}/pgpass", "/run/postgresql": own, "10.0.0.0/24": "127.0.0.1/32",
            "superuser-password": words["superuser"], "replication-password": words["replication"]})
        as_user = []
        path = self.write(f"{name}.yml", text)
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(own, "postgres", "postgres")
            shutil.chown(path, "postgres", "postgres")
        return [*as_user, "patroni", path], {**os.environ, "HOME": own}

    def haproxy_command(self, _):
        def servers(options=""):
            return "".join(f"    server {name} {self.address(name)}{options.format(name)}\n" for name in self.node_names())

        text = sample("haproxy/haproxy.cfg", {
            "    bind :443 ssl crt /etc/haproxy/certs/shop.pem alpn h2,http/1.1\n    bind :80\n": f"    bind {self.address('haproxy')}\n",
            "    http-request redirect scheme https code 308 unless { ssl_fc }\n": "",
            "maxconn 20000": f"maxconn 4000\n    stats socket {self.folder}/haproxy.sock",
            "    server a 10.0.0.11:8080\n    server b 10.0.0.12:8080\n": servers(),
            "    server a 10.0.0.11:8080 track guildhall/a\n    server b 10.0.0.12:8080 track guildhall/b\n": servers(" track guildhall/{}")})
        return ["haproxy", "-db", "-f", self.write("haproxy.cfg", text)], os.environ

    def node_command(self, name):
        words = self.state["secrets"]
        defaults = {"SESSION_SIGNING_SECRET": words["signing"] * 2, "INVOICE_LINK_SIGNING_SECRET": words["link"] * 2,
                    "LOCAL_AUTH_ENABLED": "true", "LOCAL_ADMIN_PASSWORD": PASSWORD, "DRAIN_SECONDS": "5",
                    "TRUSTED_PROXIES": "127.0.0.1", "DATABASE_CONNECTIONS": "8", "LOOPS": "1", "LOG_REQUESTS": "off",
                    "PUBLIC_BASE_URL": self.url()}
        own = {"LISTEN_ADDR": self.address(name), "METRICS_ADDR": self.address(name.replace("node", "metrics")),
               "DATA_DIR": f"{self.folder}/{name}", "DATABASE_URL": self.database_url(),
               "CACHE_URL": f"redis://{self.address('redis')}"}
        return [BINARY, "serve"], {**defaults, **self.state["settings"], **os.environ, **own}

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        return path

    # Addresses

    def node_names(self):
        return [f"node-{number}" for number in range(1, self.state["nodes"] + 1)]

    def port(self, name):
        return self.state["ports"][name]

    def address(self, name):
        return f"127.0.0.1:{self.port(name)}"

    def url(self):
        return f"http://{self.address('haproxy')}"

    def database_url(self, user="guildhall", database="guildhall"):
        """Both servers: libpq finds the one that accepts writes."""
        hosts = ",".join(self.address(name) for name in DATABASES)
        password = self.state["secrets"]["guildhall" if user == "guildhall" else "superuser"]
        return f"postgresql://{user}:{password}@{hosts}/{database}?target_session_attrs=read-write"

    # State

    def wait_until_ready(self, name):
        def is_ready():
            if not self.is_running(name):
                fail(f"{name} ended: see {self.folder}/{name}.log")
            return ask("GET", f"http://{self.address(name)}/readyz")[0] == 200

        wait_for(is_ready, name, 60)

    def proxy_uses(self, name):
        """Whether HAProxy sends requests to the node."""
        try:
            with socket.socket(socket.AF_UNIX) as stats:
                stats.connect(f"{self.folder}/haproxy.sock")
                stats.sendall(b"show stat\n")
                lines = stats.makefile().read().splitlines()
        except OSError:
            return False
        fields = lines[0].lstrip("# ").split(",")
        rows = [dict(zip(fields, line.split(","))) for line in lines[1:] if line]
        return any(row["pxname"] == "guildhall" and row["svname"] == name and row["status"] == "UP" for row in rows)

    def members(self):
        """What Patroni knows about the PostgreSQL servers, by name."""
        for name in DATABASES:
            status, text = ask("GET", f"http://{self.address(f'rest-{name}')}/cluster", timeout=2)
            if status == 200:
                return {member["name"]: member for member in json.loads(text)["members"]}
        return {}

    def role(self, name):
        """leader, sync_standby or replica; None if the server does not run."""
        member = self.members().get(name, {})
        status, _ = ask("GET", f"http://{self.address(f'rest-{name}')}/health", timeout=2)
        return member.get("role") if status == 200 else None

    def primary(self):
        return next((name for name in DATABASES if self.role(name) == "leader"), None)

    def wait_for_standby(self, role="sync_standby"):
        """Until one server is the primary and the other replicates."""
        wait_for(lambda: sorted(str(self.role(name)) for name in DATABASES) == sorted(["leader", role]), f"a {role}", 300)

    def configure(self, **values):
        """Changes Patroni's configuration of both servers."""
        status, text = ask("PATCH", f"http://{self.address(f'rest-{self.primary()}')}/config", values)
        if status != 200:
            fail(f"Patroni refuses {values}: {status} {text}")

    def psql(self, statement, superuser=False):
        url = self.database_url("postgres", "postgres") if superuser else self.database_url()
        done = subprocess.run([f"{PG_BIN}/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", url, "-c", statement], capture_output=True,
                              text=True, timeout=120)
        if done.returncode != 0:
            fail(f"psql: {done.stderr}")
        return done.stdout.strip()

    def describe(self):
        """One line for each process."""
        members, lines = self.members(), []
        for name in ["haproxy", *self.node_names(), *DATABASES, "etcd", "redis"]:
            state = "runs" if self.is_running(name) else "ended"
            if name.startswith("node"):
                status, text = ask("GET", f"http://{self.address(name)}/readyz", timeout=2)
                state += f", {json.loads(text)['status'] if text.startswith('{') else 'does not answer'}"
                state += ", used by HAProxy" if self.proxy_uses(name) else ", not used by HAProxy"
            if name in DATABASES:
                member = members.get(name, {})
                state += f", {member.get('role', 'no member')}, {member.get('state', '')}, timeline {member.get('timeline', '?')}"
            pid = self.state["processes"].get(name, {}).get("pid", "-")
            lines.append(f"  {name:11} 127.0.0.1:{self.port(name):<6} pid {pid:<8} {state}")
        return "\n".join(lines)


def require_programs():
    subprocess.run([f"{ROOT}/script/setup", "cluster"], check=True)
    if not os.path.exists(BINARY):
        fail(f"{BINARY} does not exist: run script/build")


def temporary_cluster(nodes, settings, use):
    """Starts a cluster in a new folder, calls use(cluster), and stops it, however that ends. The logs of a failure are kept."""
    require_programs()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cluster, ended_well = Cluster(tempfile.mkdtemp(prefix="guildhall-cluster.")), False
    try:
        cluster.create(nodes, settings)
        use(cluster)
        ended_well = True
    finally:
        if not ended_well:
            kept = tempfile.mkdtemp(prefix="guildhall-cluster-logs.")
            for name in os.listdir(cluster.folder):
                if name.endswith(".log"):
                    shutil.copy(f"{cluster.folder}/{name}", kept)
            print(f"cluster: the logs are in {kept}", file=sys.stderr)
        cluster.stop_all()
