"""The servers under load: Guildhall, and nginx as the floor."""
import http.client, json, os, socket, time

from harness.load import wrk, wrk_p99_ms
from harness.processes import ROOT, cpu_seconds, resident_mib, start, stop

BINARY = os.environ.get("GUILDHALL_BINARY", f"{ROOT}/build/release/guildhall")
PASSWORD = "bench-password"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(check, what, within=30):
    """Milliseconds until the check holds."""
    started = time.monotonic()
    while not check():
        if time.monotonic() - started > within:
            raise SystemExit(f"{what}: not ready within {within} s")
        time.sleep(0.002)
    return (time.monotonic() - started) * 1000


class Guildhall:
    """`guildhall serve` on a free port, configured by environment variables only, with its admin signed in."""

    def __init__(self, folder, database_url=None, cache_url="memory:", loops=1, settings=None, port=None, binary=BINARY):
        self.port, self.cookie = port or free_port(), ""
        environment = {
            "PATH": os.environ["PATH"], "LISTEN_ADDR": f"127.0.0.1:{self.port}", "METRICS_ADDR": "off", "DATA_DIR": folder,
            "DATABASE_URL": database_url or f"sqlite:{folder}/bench.db", "CACHE_URL": cache_url, "LOOPS": str(loops),
            "CACHE_TIMEOUT_MS": "5000", "SESSION_SIGNING_SECRET": "x" * 32, "LOCAL_AUTH_ENABLED": "true",
            "LOCAL_ADMIN_PASSWORD": PASSWORD, "RATE_LIMIT_DISABLED": "true", "LOG_LEVEL": "error", **(settings or {}),
        }
        self.process = start([binary, "serve"], env=environment)
        self.start_ms = wait_for(self.is_ready, "guildhall")
        self.idle_mib = resident_mib(self.process.pid)
        self.sign_in("admin", PASSWORD, expected=200)

    def is_ready(self):
        if self.process.poll() is not None:
            raise SystemExit("guildhall: ended before it was ready")
        try:
            return self.ask("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def ask(self, method, path, body=None, expected=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        sent = {"Cookie": self.cookie, **({} if body is None else {"Content-Type": "application/json"}), **(headers or {})}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        if expected is not None and reply.status != expected:
            raise SystemExit(f"{method} {path}: {reply.status} {text}")
        if reply.getheader("set-cookie"):
            self.cookie = reply.getheader("set-cookie").split(";")[0]
        return reply.status, text

    def sign_in(self, username, password, expected=None, headers=None, tenant="default"):
        body = {"username": username, "password": password, "tenantId": tenant}
        return self.ask("POST", "/auth/local/login", body, expected, headers)

    def create(self, path, body):
        return json.loads(self.ask("POST", path, body, expected=201)[1])

    def load(self, path, seconds, connections=64, script="session.lua", body=""):
        """(requests per second, server CPU microseconds per request)"""
        environment = {"BENCH_COOKIE": self.cookie, "BENCH_BODY": body, "BENCH_RUN": str(time.monotonic_ns())}
        return under_load(self.process.pid, f"http://127.0.0.1:{self.port}{path}", seconds, connections, script, environment)

    def mixed_p99_ms(self, read, path, body, seconds, connections):
        """The 99th percentile of nine reads to one create."""
        environment = {"BENCH_COOKIE": self.cookie, "BENCH_PATH": read, "BENCH_BODY": body,
                       "BENCH_RUN": str(time.monotonic_ns())}
        return wrk_p99_ms(f"http://127.0.0.1:{self.port}{path}", seconds, connections, "mixed.lua", environment)

    def stop(self):
        if not stop(self.process):
            raise SystemExit("guildhall: did not end within 20 s of SIGTERM")


# What every reply of ours carries, so that nginx sends as much.
REPLY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
                 "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
                 "x-request-id": "$request_id"}


class Nginx:
    """nginx answering the same headers and body from its configuration: the floor of any HTTP server here."""

    def __init__(self, folder):
        self.port = free_port()
        home = f"{folder}/nginx"
        os.makedirs(home, exist_ok=True)
        temporary = " ".join(f"{kind}_temp_path {home}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        headers = " ".join(f'add_header {name} "{value}";' for name, value in REPLY_HEADERS.items())
        with open(f"{home}/conf", "w") as out:
            out.write(f"""daemon off; master_process off; pid {home}/pid; error_log {home}/error.log;
              events {{ worker_connections 4096; }}
              http {{ access_log off; keepalive_requests 1000000000; {temporary}
                server {{ listen 127.0.0.1:{self.port};
                  location / {{ default_type application/json; {headers} return 200 '{{"status":"ok"}}'; }} }} }}""")
        self.process = start(["/usr/sbin/nginx", "-p", home, "-c", f"{home}/conf"])
        wait_for(self.is_listening, "nginx")

    def is_listening(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def load(self, seconds):
        return under_load(self.process.pid, f"http://127.0.0.1:{self.port}/", seconds)

    def stop(self):
        stop(self.process)


def under_load(pid, url, seconds, *details):
    before = cpu_seconds(pid)
    rate, total = wrk(url, seconds, *details)
    return rate, (cpu_seconds(pid) - before) * 1e6 / total
