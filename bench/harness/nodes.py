"""Several nodes of one installation: the same PostgreSQL and Redis, the connections divided among them."""
import os
from concurrent.futures import ThreadPoolExecutor

from harness.peers import Shop
from harness.servers import Guildhall

CONNECTIONS = 30
WORK = {"read": "GET one order", "create": "POST order of two counted products"}


class Nodes:
    def __init__(self, folder, count):
        self.servers = [Guildhall(folder, os.environ["TEST_POSTGRES_URL"], os.environ["TEST_REDIS_URL"])
                        for _ in range(count)]
        self.shop = Shop(self.servers[0], orders=1_000)

    def load(self, path, seconds, script="session.lua", body=""):
        """Requests a second of all of them."""
        with ThreadPoolExecutor() as threads:
            loads = [threads.submit(server.load, path, seconds, CONNECTIONS // len(self.servers), script, body)
                     for server in self.servers]
            return sum(load.result()[0] for load in loads)

    def read(self, seconds):
        return self.load(f"/api/data/order/{self.shop.order}", seconds)

    def create(self, seconds):
        return self.load("/api/data/order", seconds, "create.lua", self.shop.body)

    def stop(self):
        for server in self.servers:
            server.stop()


def measure_nodes(table, folder, seconds):
    """Two and three nodes against one. They share the machine, so this shows what dividing the work
    costs: smaller groups of reads and commits."""
    for count in (2, 3):
        names = {work: f"PostgreSQL: {name}, {count} nodes, against one" for work, name in WORK.items()}
        if not any(map(table.wanted, names.values())):
            continue
        several, one = Nodes(folder, count), Nodes(folder, 1)
        for work, name in names.items():
            table.compare(name, lambda: getattr(several, work)(seconds), lambda: getattr(one, work)(seconds), "/s",
                          at_least=0.5)
        several.stop()
        one.stop()
