"""Raychev, Musuvathi and Mytkowicz, "Parallelizing User-Defined Aggregations using Symbolic
Execution" (SOSP 2015, SYMPLE): aggregations over logs."""


# sessions: one-pass
def sessions(times, gap):
    """After "funnel": a session ends where nothing happens for a while."""
    count, last = 0, float("-inf")
    for t in times:
        if t - last > gap:
            count += 1
        last = t
    return count


def longest_session(times, gap):
    length, longest, last = 0, 0, float("-inf")
    for i in range(len(times)):
        if times[i] - last > gap:
            length = 0
        length += 1
        longest = max(longest, length)
        last = times[i]
    return longest


# funnel: one-pass
def funnel(events):
    """After "funnel": search, then a click, then a purchase, in this order."""
    stage = 0
    for e in events:
        if stage == 0 and e == "search":
            stage = 1
        elif stage == 1 and e == "click":
            stage = 2
        elif stage == 2 and e == "buy":
            stage = 3
    return stage == 3


def funnel_count(events):
    searched, bought = False, 0
    for e in events:
        if e == "search":
            searched = True
        elif e == "buy":
            if searched:
                bought += 1
            searched = False
    return bought


# outages: one-pass
def outages(statuses):
    down, count, total = False, 0, 0
    for s in statuses:
        if s != 200:
            if not down:
                count += 1
            down = True
            total += 1
        else:
            down = False
    return count, total


def longest_outage(up):
    run, longest = 0, 0
    for i in range(len(up)):
        run = 0 if up[i] else run + 1
        longest = run if run > longest else longest
    return longest


# first-last: one-pass
def first_and_last(events):
    first, last, any_seen = 0, 0, False
    for e in events:
        if not any_seen:
            first = e
        any_seen = True
        last = e
    return last - first


def latest_status(times, values):
    newest, status = float("-inf"), 0
    for i in range(len(times)):
        if times[i] >= newest:
            newest = times[i]
            status = values[i]
    return status


# balance: one-pass
def lowest_balance(amounts):
    balance, lowest = 0, 0
    for a in amounts:
        balance += a
        lowest = min(lowest, balance)
    return lowest


def ever_overdrawn(amounts, start):
    balance, overdrawn = 0, False
    for i in range(len(amounts)):
        balance += amounts[i]
        if balance + start < 0:
            overdrawn = True
    return overdrawn


# github-pushes: one-pass
def only_pushes(kinds):
    only = True
    for k in kinds:
        if k != "push":
            only = False
    return only


def pushes_after_fork(kinds):
    forked, pushes = False, 0
    for k in kinds:
        forked = forked or k == "fork"
        if forked and k == "push":
            pushes += 1
    return pushes


# speed-violations: one-pass
def max_speed_up(speeds):
    last, best = 0.0, 0.0
    for v in speeds:
        best = max(best, v - last)
        last = v
    return best


def count_violations(speeds, limit):
    over, count = False, 0
    for v in speeds:
        count += 1 if v > limit and not over else 0
        over = v > limit
    return count


# median-of-ages: fails
def even_odd_median(xs):
    low, high, middle = 0.0, 0.0, 0.0
    for x in xs:
        if x > middle:
            middle = middle + 1
        elif x < middle:
            middle = middle - 1
    return middle + low + high


def mean_until_limit(xs, limit):
    total = 0.0
    for x in xs:
        if total < limit:
            total += x * x
    return total
