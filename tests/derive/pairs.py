"""Containers of containers."""

from collections import Counter, defaultdict


def counts_nested(events):
    seen = {}
    for user, page in events:
        if user not in seen:
            seen[user] = {}
        if page not in seen[user]:
            seen[user][page] = 0
        seen[user][page] += 1
    return seen


def counts_of_counts(events):
    d = defaultdict(lambda: defaultdict(int))
    for user, page in events:
        d[user][page] += 1
    return d


def counts_of_records(events):
    d = defaultdict(Counter)
    for e in events:
        d[e["user"]][e["page"]] += 1
    return d


def spending(rows):
    totals = {}
    for who, month, amount in rows:
        if who not in totals:
            totals[who] = {}
        totals[who][month] = totals[who].get(month, 0) + amount
    return totals


def latest_metrics(rows):
    d = defaultdict(dict)
    for host, metric, v in rows:
        d[host][metric] = v
    return d


def best_metrics(rows):
    d = defaultdict(dict)
    for host, metric, v in rows:
        if metric not in d[host] or v > d[host][metric]:
            d[host][metric] = v
    return d


def followers(words):
    follow = defaultdict(lambda: defaultdict(int))
    for a, b in zip(words, words[1:]):
        follow[a][b] += 1
    return follow


def counts_and_total(rows):
    d = defaultdict(Counter)
    total = 0
    for a, b, v in rows:
        d[a][b] += v
        total += v
    return d, total
