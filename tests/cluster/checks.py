"""What must hold when parts of a cluster restart or die under load. Each check prints one line of figures and ends the run if
its promise is broken."""
import os, signal, time

from cluster import DATABASES, ask, fail, wait_for
from load import Load, percentile


def lost_none(load, cluster, name):
    lost, late, strange = load.compare(cluster)
    if lost or strange:
        fail(f"{name}: of {len(load.acknowledged)} acknowledged orders {len(lost)} are lost; {len(strange)} orders were never sent")
    return f"{len(load.acknowledged):,} orders acknowledged, 0 lost ({len(late)} of {len(load.unknown)} without an answer are stored)"


def rolling_restart(cluster, rounds=6):
    """Every node is restarted, one after the other, several times: no request may fail."""
    restarts = 0
    with Load(cluster.port("haproxy")) as load:
        load.wait_for(300)
        for _ in range(rounds):
            for name in cluster.node_names():
                if not cluster.stop(name):
                    fail(f"{name} did not end after SIGTERM")
                cluster.start(name)
                cluster.wait_until_ready(name)
                wait_for(lambda: cluster.proxy_uses(name), f"HAProxy to use {name}")
                load.wait_for(50)
                restarts += 1
    requests, _, failures = load.counted()
    print(f"rolling restart: {restarts} restarts, {failures} of {requests:,} requests failed, "
          f"p99 {percentile(load.seconds, 0.99) * 1000:.0f} ms, slowest {max(load.seconds) * 1000:.0f} ms, "
          f"{lost_none(load, cluster, 'rolling restart')}", flush=True)
    if failures:
        fail(f"rolling restart: {load.failures[:5]}")


def node_death(cluster, rounds=3):
    """A node is killed under load: reads and writes with a key do not fail, others only until HAProxy notices."""
    for _ in range(rounds):
        name = cluster.node_names()[1]
        with Load(cluster.port("haproxy")) as load:
            load.wait_for(300)
            moment = time.monotonic()
            cluster.kill(name)
            wait_for(lambda: not cluster.proxy_uses(name), f"HAProxy to notice the death of {name}")
            noticed = time.monotonic() - moment
            load.wait_for(300)
        count, window, kinds = load.failures_since(moment)
        print(f"node killed: {count} of {load.counted()[0]:,} requests failed {kinds}, error window {window:.2f} s, "
              f"gap between writes {load.gap_after(moment):.2f} s, HAProxy noticed after {noticed:.1f} s, "
              f"{lost_none(load, cluster, 'node killed')}", flush=True)
        cluster.start(name)
        cluster.wait_until_ready(name)
        wait_for(lambda: cluster.proxy_uses(name), f"HAProxy to use {name}")


def change_primary(cluster, load, change):
    """Lets `change(primary)` end the primary, and waits for another one and for acknowledged orders. Returns the name of the
    old primary and the longest time without an acknowledged order, in seconds."""
    primary = cluster.primary()
    moment = time.monotonic()
    change(primary)
    wait_for(lambda: cluster.primary() not in (None, primary), "the new primary", 120)
    load.wait_for(100)
    return primary, load.gap_after(moment)


def changes_of_primary(cluster, name, rounds, change, restart=False):
    gaps = []
    with Load(cluster.port("haproxy")) as load:
        for _ in range(rounds):
            cluster.wait_for_standby()
            load.wait_for(200)
            old, gap = change_primary(cluster, load, change)
            gaps.append(gap)
            if restart:
                cluster.start(old)
        cluster.wait_for_standby()
    gaps.sort()
    print(f"{name}: {rounds} times, gap {gaps[0]:.1f} to {gaps[-1]:.1f} s (median {gaps[len(gaps) // 2]:.1f} s), "
          f"{lost_none(load, cluster, name)}", flush=True)


def failovers(cluster):
    """The primary's machine dies, again and again: no acknowledged order may be lost."""
    changes_of_primary(cluster, "machine of the primary killed", 10, cluster.kill, restart=True)


def crashes(cluster):
    """PostgreSQL dies, while Patroni lives and notices it."""
    changes_of_primary(cluster, "processes of the primary killed", 3, cluster.crash_database)


def switchovers(cluster):
    """A planned change of the primary."""
    def switch(primary):
        other = next(name for name in DATABASES if name != primary)
        status, text = ask("POST", f"http://{cluster.address(f'rest-{primary}')}/switchover",
                           {"leader": primary, "candidate": other}, timeout=60)
        if status != 200:
            fail(f"Patroni refuses the switch: {status} {text}")

    changes_of_primary(cluster, "planned switch of the primary", 3, switch)


def asynchronous_control(cluster):
    """The control: with asynchronous replication and a standby that lags, the same death of the primary loses orders. If it
    lost none, the other checks would prove nothing."""
    cluster.configure(synchronous_mode=False, maximum_lag_on_failover=10**9)
    cluster.wait_for_standby("replica")
    wait_for(lambda: cluster.psql("SHOW synchronous_standby_names") == "", "asynchronous replication", 60)
    with Load(cluster.port("haproxy")) as load:
        load.wait_for(200)
        senders = cluster.psql("SELECT pid FROM pg_stat_replication", superuser=True).split()
        for pid in senders:
            os.kill(int(pid), signal.SIGSTOP)
        load.wait_for(300)
        old, gap = change_primary(cluster, load, cluster.kill)
        cluster.start(old)
        cluster.wait_for_standby("replica")
    lost, _, _ = load.compare(cluster)
    cluster.configure(synchronous_mode=True, maximum_lag_on_failover=2**20)
    cluster.wait_for_standby()
    print(f"control, asynchronous replication with a lagging standby: {len(lost)} of {len(load.acknowledged):,} "
          f"acknowledged orders lost, gap {gap:.1f} s", flush=True)
    if not lost:
        fail("the control has lost nothing, so the checks prove nothing")


CHECKS = {"rolling": rolling_restart, "node": node_death, "switch": switchovers, "crash": crashes, "failover": failovers,
          "control": asynchronous_control}
