"""The load generators and raw ceilings: each returns a rate in requests (or transactions) a second."""
import os, re

from harness.processes import ROOT, run

PG_BIN = os.environ.get("TEST_POSTGRES_BIN", "/usr/lib/postgresql/15/bin")
SLACK = 60  # seconds that a tool may take longer than it was told to


def wrk_text(url, seconds, connections, script, environment):
    """What wrk prints; a reply that is not 2xx or 3xx ends the run."""
    scripted = ["-s", f"{ROOT}/bench/wrk/{script}"] if script else []
    out = run(["wrk", "-t1", "--latency", "--timeout=60s", f"-c{connections}", f"-d{seconds}s", *scripted, url],
              within=seconds + SLACK, env={**os.environ, **(environment or {})})
    if "Non-2xx" in out or "Socket errors" in out:
        raise SystemExit(f"{url}: the server refused requests:\n{out}")
    return out


def wrk_p99_ms(url, seconds, connections, script, environment):
    """The 99th percentile of the time until a reply."""
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", wrk_text(url, seconds, connections, script, environment)).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def wrk(url, seconds, connections=64, script=None, environment=None):
    """(requests per second, number of requests)"""
    out = wrk_text(url, seconds, connections, script, environment)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), int(re.search(r"(\d+) requests in", out).group(1))


def file_of(path, text):
    with open(path, "w") as out:
        out.write(text)
    return path


def statements(rows):
    """The text of files in bench/rows: what one request asks of the database."""
    return "\n".join(open(f"{ROOT}/bench/rows/{name}.sql").read() for name in rows)


def schema():
    names = sorted(os.listdir(f"{ROOT}/migrations"))
    return "\n".join(open(f"{ROOT}/migrations/{name}").read() for name in names)


def sqlite_ceiling(folder, rows, seconds):
    path = f"{folder}/ceiling.db"
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    files = [file_of(f"{folder}/schema.sql", schema()), file_of(f"{folder}/rows.sql", statements(rows))]
    return float(run([f"{ROOT}/build/release/bench/sqlite_ceiling", path, *files, str(seconds)], within=seconds + SLACK))


def psql(url, statements):
    """What the statements print, without headings."""
    return run([f"{PG_BIN}/psql", "-XAtq", url, "-v", "ON_ERROR_STOP=1", "-c", statements], within=120).strip()


def pgbench(url, folder, script, seconds):
    path = file_of(f"{folder}/script.sql", script)
    command = [f"{PG_BIN}/pgbench", "-n", "-M", "prepared", "-f", path, url]
    run([*command, "-t1"], within=SLACK)  # alone: what all of them share is made by one
    out = run([*command, "-c16", "-j2", f"-T{seconds}"], within=seconds + SLACK)
    return float(re.search(r"tps = ([\d.]+)", out).group(1))


def pgbench_rows(rows):
    """The same for pgbench: several statements are one transaction."""
    text = re.sub(r"--.*", "", statements(rows)).replace(":id", "('p' || :n)")
    text = text.replace('":', '": ')  # pgbench takes the :null of a JSON text for a variable
    each = [" ".join(statement.split()) + ";" for statement in text.split(";") if statement.strip()]
    if len(each) > 1:
        each = [r"\set n random(1, 9000000000000)", r"\set slot random(0, 15)", "BEGIN;", *each, "END;"]
    return "\n".join(each) + "\n"
