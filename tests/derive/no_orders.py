"""Choices between what is held and the element that are no order by keys."""


def not_order(rows):
    a, b = 0, 0
    for x, y in rows:
        if x > a or y > b:
            a, b = x, y
    return a, b


def not_order2(rows):
    a, b = 0, 0
    for x, y in rows:
        if x > a and y > b:
            a, b = x, y
    return a, b


def half_key(rows):
    best = None
    for x, y in rows:
        if best is None or x > best[1]:
            best = (x, y)
    return best


def two_orders(bids):
    who, amt, at = None, 0, 0
    for b in bids:
        if b.vip:
            if b.amount > amt or (b.amount == amt and b.time < at):
                who, amt, at = b.bidder, b.amount, b.time
        elif b.amount > amt:
            who, amt, at = b.bidder, b.amount, b.time
    return who


def strange(rows):
    low, who = 1e9, []
    for name, score in rows:
        if score < low:
            low = score
            who = [name]
        elif score == low:
            who.append(score)
    return who


def pairs(rows):
    low, who = 1e9, []
    for name, score in rows:
        if score < low:
            low = score
            who = [name]
        elif score == low:
            who = [name] + who
    return who
