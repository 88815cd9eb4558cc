"""Processes that a measurement starts: each has a time limit, and none outlives the run."""
import atexit, ctypes, os, re, signal, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
children = []


def die_with_parent():
    """In the child: the kernel ends it with us, even if we are killed and can end nothing ourselves."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def start(command, **options):
    """A process that runs beside us. Its output goes to our standard error, which nobody waits for."""
    child = subprocess.Popen(command, stdout=sys.stderr, preexec_fn=die_with_parent, **options)
    children.append(child)
    return child


def stop(child, within=20):
    """Ends a child gracefully if it can be done in time. Tells whether it could."""
    if child in children:
        children.remove(child)
    child.terminate()
    try:
        child.wait(timeout=within)
        return True
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return False


def stop_all():
    while children:
        stop(children[-1], within=5)


def run(command, within, **options):
    """Runs a command to its end and returns what it printed; one that fails or takes too long ends the whole run."""
    try:
        done = subprocess.run(command, text=True, timeout=within, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=die_with_parent, **options)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{command[0]}: not done within {within} s")
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def end_children_on_exit():
    """However the run ends, its children end with it: a server left over would keep our caller's pipe open for ever."""
    atexit.register(stop_all)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def cpu_seconds(pid):
    """User and system time that the process has taken so far."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024
