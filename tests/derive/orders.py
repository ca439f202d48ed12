"""The best by several keys in turn, in the words of those who look for it."""


def cheapest_tie(offers):
    best = None
    for price, rating, shop in offers:
        if best is None or price < best[0] or (price == best[0] and rating > best[1]):
            best = (price, rating, shop)
    return best


def best_student(students):
    top_score, top_name = -1, ""
    for name, avg in students:
        if avg > top_score or (avg == top_score and name < top_name):
            top_score, top_name = avg, name
    return top_name


def best_in_two_branches(students):
    top_score, top_name = None, None
    for name, avg in students:
        if top_score is None or avg > top_score:
            top_score, top_name = avg, name
        elif avg == top_score and name < top_name:
            top_name = name
    return top_name, top_score


def best_per_team(results):
    best = {}
    for team, player, score in results:
        if team not in best or score > best[team][1]:
            best[team] = (player, score)
    return best


def latest_per_key(records):
    latest = {}
    for r in records:
        k = r["id"]
        if k not in latest or r["ts"] >= latest[k]["ts"]:
            latest[k] = r
    return latest


def record_tie(rows):
    top = None
    for r in rows:
        if (
            top is None
            or r["score"] > top["score"]
            or (r["score"] == top["score"] and r["when"] < top["when"])
        ):
            top = r
    return top


def tuple_key(rows):
    best = None
    for r in rows:
        if best is None or (r["a"], r["b"]) < (best["a"], best["b"]):
            best = r
    return best


def cheapest_and_count(rows):
    best = None
    n = 0
    for r in rows:
        n += 1
        if best is None:
            best = r
        elif r.cost < best.cost or r.cost == best.cost and r.size > best.size:
            best = r
    return best, n


def medals(rows):
    g, s, b, who = -1, -1, -1, None
    for name, x, y, z in rows:
        if x > g or (x == g and (y > s or (y == s and z >= b))):
            g, s, b, who = x, y, z, name
    return who


def longest_then_first(words):
    best = ""
    for w in words:
        if len(w) > len(best) or (len(w) == len(best) and w < best):
            best = w
    return best


def with_filter(rows, day):
    best = None
    for r in rows:
        if r["day"] != day:
            continue
        if best is None or r["v"] > best["v"] or (r["v"] == best["v"] and r["id"] < best["id"]):
            best = r
    return best


def best_per_team_get(results):
    best = {}
    for team, player, score in results:
        cur = best.get(team)
        if cur is None or score > cur[1] or (score == cur[1] and player < cur[0]):
            best[team] = (player, score)
    return best


def highest_bid(bids, floor):
    who, amt, at = None, 0, 0
    for b in bids:
        if b.amount >= floor and b.bidder != "house":
            if b.amount > amt or (b.amount == amt and b.time < at):
                who, amt, at = b.bidder, b.amount, b.time
    return who


def all_argmax(xs):
    best = float("-inf")
    idxs = []
    for i, x in enumerate(xs):
        if x > best:
            best = x
            idxs = [i]
        elif x == best:
            idxs.append(i)
    return idxs


def winners(rows):
    top = None
    names = []
    for name, score in rows:
        if top is None or score > top:
            top, names = score, [name]
        elif score == top:
            names.append(name)
    return top, names


def winners_so_far(rows):
    top = 0
    names = []
    for name, score in rows:
        if score < top:
            continue
        if score > top:
            names = []
            top = score
        names.append(name)
    return names


def losers(rows):
    low, who, n = 1e9, [], 0
    for name, score in rows:
        n += 1
        if score == low:
            who = who + [name]
        elif score < low:
            low = score
            who = [name]
    return who, n
