"""The table of results: every row has a name, what was measured, its ceiling, and whether the budget is met."""
import statistics, sys


class Table:
    def __init__(self, rounds, only):
        self.rounds, self.only, self.rows = rounds, only, []
        print(f"{'':62} {'ours':>16} {'ceiling':>16} {'ratio':>6}  budget", flush=True)

    def wanted(self, name):
        return self.only in name

    def compare(self, name, ours, ceiling, unit, at_least=None, at_most=None, rounds=None):
        """Alternates our side with the ceiling and keeps the medians."""
        if not self.wanted(name):
            return
        print(f"… {name}", end="\r", file=sys.stderr, flush=True)
        pairs = [(ours(), ceiling()) for _ in range(rounds or self.rounds)]
        mine, theirs = (statistics.median(side) for side in zip(*pairs))
        self.add(name, mine, theirs, unit, at_least, at_most)

    def add(self, name, mine, theirs, unit, at_least=None, at_most=None):
        """A row of two figures, whose ratio has a budget."""
        ratio = mine / theirs
        met = ratio >= at_least if at_least is not None else ratio <= at_most
        budget = f"≥ {at_least:g}" if at_least is not None else f"≤ {at_most:g}"
        self.put(name, f"{mine:,.1f} {unit}", f"{theirs:,.1f} {unit}", round(ratio, 3), budget, met)

    def limit(self, name, value, unit, at_most):
        """A row of one figure, which has a budget itself."""
        if self.wanted(name):
            self.put(name, f"{value:,.1f} {unit}", "", None, f"≤ {at_most:g} {unit}", value <= at_most)

    def put(self, name, ours, ceiling, ratio, budget, met):
        self.rows.append({"row": name, "ours": ours, "ceiling": ceiling, "ratio": ratio, "budget": budget, "met": met})
        shown = "" if ratio is None else f"{ratio:.2f}"
        print(f"{name:62} {ours:>16} {ceiling:>16} {shown:>6}  {budget:<10} {'met' if met else 'MISSED'}", flush=True)
