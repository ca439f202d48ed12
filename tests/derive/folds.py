"""Loops over a stream that have a monoid, in the manners of their users."""

import heapq
import math
from collections import Counter, defaultdict, deque

import numpy as np
import torch
import torch.nn.functional as F

# -- what the loops call


def bumped(s, x):
    return 2 * s + x


def clipped(v, lo, hi):
    if v < lo:
        return lo
    if v > hi:
        return hi
    return v


def advanced(on, c):
    if c == "(":
        on = True
    elif c == ")":
        on = False
    return on


class Priced:
    def __init__(self, price):
        self.price = price

    def __add__(self, other):
        return Priced((self.price + other.price) / 2)

    def __eq__(self, other):
        return self.price == other.price


# -- the loops

WORDS = {"a": 1, "b": 2}


def total(xs):
    s = 0
    for x in xs:
        s += x
    return s


def kadane(xs):
    here = best = 0
    for x in xs:
        here = max(0, here + x)
        best = max(best, here)
    return best


def welford(xs):
    n, mean, m2 = 0, 0.0, 0.0
    for x in xs:
        n += 1
        d = x - mean
        mean += d / n
        m2 += d * (x - mean)
    return n, mean, m2


def soft(scores):
    largest, total = -math.inf, 0.0
    for x in scores:
        if x > largest:
            total = total * math.exp(largest - x) + 1.0
            largest = x
        else:
            total += math.exp(x - largest)
    return largest, total


def horner(cs, t):
    h = 0
    for c in cs:
        h = h * t + c
    return h


def atoi(s):
    n = 0
    for c in s:
        n = 10 * n + int(c)
    return n


def atoi2(s):
    n = 0
    for c in s:
        n = 10 * n + (ord(c) - ord("0"))
    return n


def second(xs):
    a = b = -math.inf
    for x in xs:
        if x > a:
            b = a
            a = x
        elif x > b:
            b = x
    return b


def is_sorted(xs):
    prev = -math.inf
    ok = True
    for x in xs:
        ok = ok and prev <= x
        prev = x
    return ok


def longest(xs):
    prev = None
    run = best = 0
    for x in xs:
        if x == prev:
            run += 1
        else:
            run = 1
        best = max(best, run)
        prev = x
    return best


def balance(text):
    depth = 0
    ok = True
    for c in text:
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
        if depth < 0:
            ok = False
    return ok and depth == 0


def balance_exit(text):
    depth = 0
    for c in text:
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def words(text):
    inside = False
    n = 0
    for c in text:
        if c == " ":
            inside = False
        else:
            if not inside:
                n += 1
            inside = True
    return n


def fsm(bits):
    state = 0
    for b in bits:
        if state == 0:
            state = 1 if b else 0
        elif state == 1:
            state = 2 if b else 0
        else:
            state = 2
    return state


def anyneg(xs):
    found = False
    for x in xs:
        if x < 0:
            found = True
    return found


def anyneg2(xs):
    for x in xs:
        if x < 0:
            return True
    return False


def wc(ws):
    counts = {}
    for w in ws:
        counts[w] = counts.get(w, 0) + 1
    return counts


def wc2(ws):
    counts = defaultdict(int)
    for w in ws:
        counts[w.lower()] += 1
    return counts


def hist(xs):
    h = [0] * 10
    for x in xs:
        h[x // 10] += 1
    return h


def argmax(xs):
    best, at = -math.inf, -1
    for i, x in enumerate(xs):
        if x > best:
            best, at = x, i
    return at


def log_lines(lines):
    errors = 0
    size = 0
    slowest = 0.0
    for line in lines:
        fields = line.split()
        size += int(fields[1])
        if fields[0] == "ERROR":
            errors += 1
        slowest = max(slowest, float(fields[2]))
    return errors, size, slowest


def mps(xs):
    s = 0
    best = 0
    for x in xs:
        s += x
        if s > best:
            best = s
    return best


def rec(records):
    n = 0
    t = 0.0
    for r in records:
        if r["status"] == 200:
            n += 1
            t += r["time"]
    return t / n


def ema(xs, a):
    h = 0.0
    for x in xs:
        h = a * h + (1 - a) * x
    return h


def minmax(xs):
    lo = hi = None
    for x in xs:
        if lo is None or x < lo:
            lo = x
        if hi is None or x > hi:
            hi = x
    return lo, hi


def argmin_last(items):
    best = math.inf
    who = None
    for name, cost in items:
        if cost <= best:
            best = cost
            who = name
    return who


def pos(xs):
    i = 0
    best = -1.0
    at = -1
    for x in xs:
        if x > best:
            best, at = x, i
        i += 1
    return at


def hash_(s):
    h = 7
    for c in s:
        h = (h * 31 + ord(c)) % 1000003
    return h


def xor(xs):
    a = 0
    for x in xs:
        a ^= x
    return a


def uniq(xs):
    seen = set()
    for x in xs:
        seen.add(x % 3)
    return seen


def squares(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x * x)
    return out


def level(xs):
    v = 5
    for x in xs:
        v = min(10, max(0, v + x))
    return v


def groups(rs):
    by = {}
    for k, v in rs:
        if k in by:
            by[k] += v
        else:
            by[k] = v
    return by


def groups2(rs):
    by = {}
    for k, v in rs:
        if k not in by:
            by[k] = []
        by[k].append(v)
    return by


def gmax(rs):
    by = {}
    for k, v in rs:
        by[k] = max(by.get(k, 0), v)
    return by


def paid(xs):
    by = {}
    for x in xs:
        if x and x % 5 != 1:
            by[x % 3] = by.get(x % 3, 0) + x
    return by


def last_of_each_parity(xs):
    held = [None] * 2
    for x in xs:
        if x and x + 1:
            held[x % 2] = x
    return held


def fib(xs):
    a, b = 0, 1
    for x in xs:
        a, b = b, a + b * x
    return a


def var2(xs):
    n = s = q = 0
    for x in xs:
        n += 1
        s += x
        q += x * x
    return q / n - (s / n) ** 2


def last(xs):
    y = None
    for x in xs:
        y = x
    return y


def mts(xs):
    m = 0
    for x in xs:
        m = max(m + x, 0)
    return m


def take(xs):
    s = 0
    for x in xs:
        if x < 0:
            break
        s += x
    return s


def firstneg(xs):
    for i, x in enumerate(xs):
        if x < 0:
            return i
    return -1


def lse(xs):
    m = -math.inf
    s = 0.0
    for x in xs:
        n = max(m, x)
        s = s * math.exp(m - n) + math.exp(x - n)
        m = n
    return m + math.log(s)


def inc(xs):
    best = 0
    run = 0
    prev = None
    for x in xs:
        if prev is not None and x > prev:
            run += 1
        else:
            run = 1
        if run > best:
            best = run
        prev = x
    return best


def maxdiff(xs):
    lo = math.inf
    best = -math.inf
    for x in xs:
        best = max(best, x - lo)
        lo = min(lo, x)
    return best


def top3(xs):
    a = b = c = -math.inf
    for x in xs:
        if x >= a:
            a, b, c = x, a, b
        elif x >= b:
            b, c = x, b
        elif x > c:
            c = x
    return a, b, c


def two(xs):
    a = b = -math.inf
    for x in xs:
        b = max(b, min(a, x))
        a = max(a, x)
    return b


def even(xs):
    odd = False
    for x in xs:
        if x == 1:
            odd = not odd
    return odd


def alt(xs):
    s = 0
    sign = 1
    for x in xs:
        s += sign * x
        sign = -sign
    return s


def poly(xs, t):
    s = 0
    p = 1
    for x in xs:
        s += x * p
        p *= t
    return s


def cnt_after(xs):
    seen = False
    n = 0
    for x in xs:
        if seen:
            n += 1
        if x == 0:
            seen = True
    return n


def seen_words(text):
    previous = " "
    count = 0
    for c in text:
        if c.isspace():
            pass
        elif previous.isspace():
            count = count + 1
        previous = c
    return count


def counter(words):
    counts = Counter()
    for w in words:
        counts[w] += 1
    return counts


def counter_imported_here(words):
    from collections import Counter as Tally

    counts = Tally()
    for w in words:
        counts[w] += 1
    return counts


def setdefaults(pairs):
    groups = {}
    for pair in pairs:
        k, v = pair[0], pair[1]
        groups[k] = groups.get(k, 1) * v
    return groups


def defaults(pairs):
    groups = defaultdict(set)
    for k, v in pairs:
        groups[k].add(v)
    return groups


def histogram(values, bins):
    for v in values:
        bins[v % 5] += 2
    return bins


def started(counts, words):
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    return counts


def latest(pairs):
    at = {}
    for k, v in pairs:
        at[k] = v
    return at


def most(pairs):
    top = {}
    for k, v in pairs:
        if k not in top or v > top[k]:
            top[k] = v
    return top


def discounted(rewards, gamma, total):
    for r in rewards:
        total = r + gamma * total
    return total


def longest_word(words):
    best = ""
    for w in words:
        if w > best:
            best = w
    return best


def drawdown(prices):
    peak = -math.inf
    worst = 0
    for p in prices:
        peak = max(peak, p)
        worst = max(worst, peak - p)
    return worst


def weights(words):
    total = 0
    for w in words:
        total += WORDS.get(w, 0)
    return total


def mean(xs):
    total, n = 0.0, 0
    for x in xs:
        total, n = total + x, n + 1
    return total / n


def all_positive(xs):
    for x in xs:
        if not x > 0:
            return False
    return True


def product(xs):
    p = 1
    for x in xs:
        p *= x
    return p


def switch(commands):
    mode = "off"
    on = 0
    for c in commands:
        if c == "on":
            mode = "on"
        elif c == "off":
            mode = "off"
        elif mode == "on":
            on += 1
    return mode, on


def comment_lines(lines):
    inside = False
    n = 0
    for line in lines:
        if line.startswith("begin"):
            inside = True
        if not inside:
            n += 1
        if line.endswith("end"):
            inside = False
    return n


def extremes(readings):
    low, high, where = None, None, None
    for t, v in readings:
        if low is None or v < low:
            low = v
        if high is None or v >= high:
            high, where = v, t
    return low, high, where


def spread(xs):
    lo, hi = math.inf, -math.inf
    for x in xs:
        lo, hi = min(lo, x), max(hi, x)
    return hi - lo


def segments(xs):
    best = total = 0
    for x in xs:
        total = total + x if x != 0 else 0
        if total > best:
            best = total
    return best


def mps_pos(a):
    s = 0
    m = 0
    pos = 0
    for i, x in enumerate(a):
        s = s + x
        if s > m:
            m = s
            pos = i + 1
    return m, pos


def word_count(text):
    count = 0
    inside = False
    for c in text:
        if c == " ":
            inside = False
        elif not inside:
            inside = True
            count += 1
    return count


def longest_run(a):
    prev = None
    run = best = 0
    for x in a:
        if x == prev:
            run += 1
        else:
            run = 1
            prev = x
        best = max(best, run)
    return best


def hash_mod_p(text, p, base):
    h = 0
    for c in text:
        h = (h * base + ord(c)) % p
    return h


def rabin(text, q):
    h = 7
    for c in text:
        h = (256 * h + ord(c)) % q
    return h


def argmax_last(a):
    best = -math.inf
    where = -1
    for i, x in enumerate(a):
        if x >= best:
            best, where = x, i
    return where


def drop_wait(a):
    # largest increase: max profit
    lo = math.inf
    best = 0
    for p in a:
        if p < lo:
            lo = p
        elif p - lo > best:
            best = p - lo
    return best


def tri_mod(a, m):
    x = 0
    y = 1
    z = 1
    for c in a:
        x, y, z = y % m, z % m, (x + y + z + c) % m
    return z


def fib_mod(a):
    x, y = 0, 1
    for c in a:
        x, y = y, (x + y) % 998244353
    return x


def count_max(a):
    best = -math.inf
    n = 0
    for x in a:
        if x > best:
            best = x
            n = 1
        elif x == best:
            n += 1
    return n


def continued_fraction(a):
    y = 1.0
    for x in a:
        y = x + 1 / y
    return y


def all_distinct_adjacent(a):
    prev = None
    for x in a:
        if x == prev:
            return False
        prev = x
    return True


def gray(a):
    b = False
    n = 0
    for x in a:
        b = b ^ (x > 0)
        if b:
            n += 1
    return n


def hmm_forward(obs, p, q):
    a, b = 0.0, -1.0
    for x in obs:
        a, b = (
            math.log(math.exp(a + p) + math.exp(b + q)) + x,
            math.log(math.exp(a + q) + math.exp(b + p)) - x,
        )
    return a


def hmm_normalised(obs, p, q):
    a, b = 0.5, 0.5
    for x in obs:
        na = (p * a + (1 - q) * b) * x
        nb = ((1 - p) * a + q * b) * (1 - x)
        z = na + nb
        a = na / z
        b = nb / z
    return a


def angle(xs):
    phase = 0.25
    for x in xs:
        phase = (phase + x) % 1.0
    return phase


def unreduced(xs):
    h = 5381
    for x in xs:
        h = (h * 33 + x) % 1000
    return h


def visits(times, gap):
    last = -math.inf
    count = 0
    for t in times:
        if t - last > gap:
            count += 1
        last = t
    return count


def two_lasts(rows):
    name = None
    price = 0
    seen = False
    for a, b in rows:
        name = a
        price = b
        seen = a > b
    return name, price, seen


def never_changed(xs):
    unit = 3
    s = 0
    for x in xs:
        unit = unit
        s += unit * x
    return s


def always_zero(xs):
    c = 0
    for x in xs:
        c += c
    return c


def flag_in_arithmetic(xs, f):
    a = -math.inf
    for x in xs:
        if f:
            a = x
            a -= f
    return a


def kept_in_a_tuple(xs):
    o = ()
    for x in xs:
        if x > 2:
            o += (x, -x)
    return o


def counted_while(xs):
    i, cur, best = 0, 0, 0
    n = len(xs)
    while i < n:
        cur = cur + xs[i]
        if cur < 0:
            cur = 0
        if cur > best:
            best = cur
        i = i + 1
    return best


def by_place(xs, ys):
    s = 0
    for i in range(len(xs)):
        s += xs[i] * ys[i] * i
    return s


def best_sale(prices):
    low, gain = 9, 0
    for i in range(len(prices)):
        if prices[i] < low:
            low = prices[i]
        gain = max(gain, prices[i] - low)
    return gain


def brackets_by_branch(text):
    depth, ok = 0, True
    for c in text:
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth < 0:
                ok = False
    return ok and depth == 0


def place_of_three(xs):
    n = 0
    for x in xs:
        if x == 3:
            return n
        n += 1
    return -1


def kept_in_a_dict(xs):
    held = {"n": 0, "top": -9}
    for x in xs:
        held["n"] += 1
        if x > held["top"]:
            held["top"] = x
    return held["n"], held["top"]


def kept_in_a_list(xs):
    held = [0, 0]
    for x in xs:
        held[0] += x
        held[1] = max(held[1], held[0])
    return held[1]


def shifted_pair(xs):
    state = (0, 1)
    for x in xs:
        state = (state[1], state[0] + x)
    return state


def best_row(rows):
    best = 0
    for row in rows:
        s = 0
        for x in row:
            s += x
        if s > best:
            best = s
    return best


def all_elements(rows):
    best = run = 0
    for row in rows:
        for x in row:
            run = max(0, run + x)
            best = max(best, run)
    return best


def pairs_within(rows):
    s = 0
    for row in rows:
        for x in row:
            s = s * 2 + x
    return s


def first_by_sentinel(xs, t):
    pos = -1
    for i, x in enumerate(xs):
        if pos == -1 and x > t:
            pos = i
    return pos


def first_by_none(xs, t):
    pos = None
    for i, x in enumerate(xs):
        if x > t:
            if pos is None:
                pos = i
    return pos


def first_by_sign(xs, t):
    pos = -1
    for i in range(len(xs)):
        pos = i if pos < 0 and xs[i] > t else pos
    return pos


def first_value_and_place(xs, t):
    value, place = None, -1
    for i, x in enumerate(xs):
        if place < 0 and x > t:
            value, place = x, i
    return value, place


def first_that_may_stay_open(xs, t):
    held = 0
    for x in xs:
        if held <= 0 and x > t:
            held = x - 2
    return held


def first_while_looking(xs, t):
    looking, value = True, 0
    for x in xs:
        if looking and x > t:
            value = x
            looking = False
    return value, looking


def first_truthy(xs):
    held = 0
    for x in xs:
        held = held or x
    return held


def first_given_start(xs, t, begun):
    held = begun
    for x in xs:
        if held is None and x > t:
            held = x
    return held


def longest_kept(words):
    best = ""
    for w in words:
        if len(w) > len(best):
            best = w
    return best


def longest_last(words):
    best = ""
    for w in words:
        best = w if len(w) >= len(best) else best
    return best


def longest_by_key(words):
    best = ""
    for w in words:
        best = max(best, w, key=len)
    return best


def nearest_by_key(xs, t):
    best = None
    for x in xs:
        best = x if best is None else min(best, x, key=lambda y: abs(y - t))
    return best


def best_pair(pairs):
    best = None
    for p in pairs:
        if best is None or p[1] > best[1]:
            best = p
    return best


def best_and_place_by_sign(xs):
    best, pos = None, -1
    for i, x in enumerate(xs):
        if pos < 0 or x > best:
            best, pos = x, i
    return best, pos


def strongest_above(xs, t):
    best = 0
    for x in xs:
        if x > t and abs(x) > abs(best):
            best = x
    return best


def bits_in_order(bits):
    v = 0
    for b in bits:
        v = v << 1 | (b > 0)
    return v


def bits_from_start(xs, begun):
    v = begun
    for x in xs:
        v = (v << 2) ^ x
    return v


def bytes_in_order(data):
    v = 0
    for b in data:
        v = (v << 8) | (b & 255)
    return v


def bytes_added(data):
    v = 1
    for b in data:
        v = (v << 8) + b
    return v


def doubled_bits(xs, t):
    v = 5
    for x in xs:
        if x > t:
            v = 2 * v | 1
    return v


def low_bits(xs):
    v = 1
    for x in xs:
        v = (v << 3 ^ x) & 0xFFFF
    return v


def masked_hash(data):
    h = 7
    for c in data:
        h = (h * 31 + c) & 0xFFFF
    return h


def moved_by_data(pairs):
    v = 0
    for k, x in pairs:
        v = (v << (k & 3)) | x
    return v


def short_of_stock(demands, stock):
    short = 0
    for d in demands:
        short += max(d - stock, 0)
        stock = max(stock - d, 0)
    return short, stock


def spilled(flows, room):
    level = lost = 0
    for x in flows:
        level += x
        if level > 20:
            lost += level - 20
            level = 20
    return lost


def served(demands, stock):
    out = 0
    for d in demands:
        take = min(d, stock)
        stock -= take
        out += take
    return out


def unmet(pairs, stock):
    late = 0
    for made, asked in pairs:
        have = stock + made
        if asked > have:
            late += asked - have
            stock = 0
        else:
            stock = have - asked
    return late


def greatest_product(xs):
    here = best = 1.0
    for x in xs:
        here = max(here * abs(x), 1)
        best = max(best, here)
    return best


def greatest_square(xs):
    here = best = 0
    for x in xs:
        here = max(here * x * x, x * x)
        if here > best:
            best = here
    return best


def greatest_growth(pairs):
    worth = top = 1
    for up, ok in pairs:
        if ok > 0:
            worth = max(1, worth * (1 + up**2))
        top = max(top, worth)
    return top


def peaks_from_none(xs):
    n = 0
    p = q = None
    for x in xs:
        if q is not None and p is not None and q < p > x:
            n += 1
        q, p = p, x
    return n


def peaks_from_infinity(xs):
    p = q = math.inf
    n = 0
    for x in xs:
        n += q < p and p >= x
        q = p
        p = x
    return n, q


def rising_runs_of_four(xs, t):
    total = 0
    a = b = c = 0
    for x in xs:
        if a < b < c < x:
            total = total + x * t
        a, b, c = b, c, x
    return total


def curvature(xs):
    most = 0
    p = q = 0
    for x in xs:
        most = max(most, abs(x - 2 * p + q))
        q, p = p, x
    return most


def last_two(xs):
    p = q = None
    for x in xs:
        q, p = p, x
    return q, p


def zigzag(xs):
    ok = True
    p = q = None
    for x in xs:
        if q is not None and (p - q) * (x - p) >= 0:
            ok = False
        q, p = p, x
    return ok


def flags_two(xs):
    p = q = False
    n = 0
    for x in xs:
        if q and p and x > 0:
            n += 1
        q, p = p, x > 0
    return n


def flags_mixed(xs):
    p = False
    q = 0
    n = 0
    for x in xs:
        if p and x > q:
            n += 1
        q = p
        p = x > 0
    return n


def first_seen(pairs):
    seen = {}
    for k, v in pairs:
        if k not in seen:
            seen[k] = v
    return seen


def last_given(xs):
    kept = None
    for x in xs:
        if x is not None:
            kept = x
    return kept


def last_above(xs):
    kept = 0.0
    for x in xs:
        if x > 0:
            kept = x
    return kept


def last_word_of_three(words):
    kept = "none"
    for word in words:
        if len(word) < 3:
            continue
        kept = word
    return kept


def last_of_two_kinds(xs):
    kept, at = None, -1
    for i, x in enumerate(xs):
        if x > 3:
            kept, at = x, i
        elif x < 0:
            kept = -x
    return kept, at


def since_reset(rows):
    total = 0.0
    for fresh, value in rows:
        if fresh:
            total = 0.0
        else:
            total += value
    return total


def carried_on(rows, total):
    for fresh, value in rows:
        total = value if fresh else total + value
    return total


def of_two_kinds(xs):
    for x in xs:
        if x > 7:
            return "hot"
        if x < -3:
            return "cold"
    return "mild"


def path_length(points):
    d = 0.0
    prev = (0, 0)
    for p in points:
        d += math.hypot(p[0] - prev[0], p[1] - prev[1])
        prev = p
    return d


def goes_on(words):
    n = 0
    prev = ""
    for w in words:
        if w.startswith(prev) and prev:
            n += 1
        prev = w
    return n


def chained(words):
    """What is asked of some elements only may raise for others."""
    prev = None
    ok = True
    for w in words:
        if prev is not None and (not w or not prev or w[0] != prev[-1]):
            ok = False
        prev = w
    return ok


def last_place(xs: list[int]):
    """A negative place is another name of one from the end."""
    h = [0] * 10
    for i, x in enumerate(xs):
        h[x] = i
    return h


def in_all(words, letters):
    for w in words:
        letters = letters & set(w)
    return letters


def rows_above(rows):
    n = 0
    for row in rows:
        if all(v > 0 for v in row):
            n += 1
    return n


def failures(lines):
    """An entry is made only by the steps that make one."""
    errors = {}
    for user, status in lines:
        if status >= 5:
            errors[user] = errors.get(user, 0) + 1
    return errors


def failures_of_some(lines):
    errors = Counter()
    for line in lines:
        user, status = line
        if status < 5:
            continue
        errors[user] += 1
    return errors


def kept_by_user(lines):
    kept = defaultdict(list)
    for user, status in lines:
        if status > 2 or user < 0:
            kept[user].append(status)
    return kept, len(kept)


def by_default(pairs):
    groups = {}
    for k, v in pairs:
        groups.setdefault(k, []).append(v)
    return groups


def everything_of_a_log(lines):
    n, most = 0, 0
    errors = Counter()
    last = {}
    sizes = {}
    for user, status, size in lines:
        n += 1
        most = max(most, size)
        if status >= 5:
            errors[user] += 1
        last[user] = status
        sizes[size % 3] = sizes.get(size % 3, 0) + size
    return n, most, errors, last, sizes


def firsts(xs):
    first = {}
    n = 0
    for i, x in enumerate(xs):
        n += 1
        if x not in first:
            first[x] = i
    return first, n


def mean_by_key(pairs):
    count, total = {}, {}
    for k, v in pairs:
        count[k] = count.get(k, 0) + 1
        total[k] = total.get(k, 0) + v
    return {k: total[k] / count[k] for k in total}


def own_largest(xs):
    """Another function of the file has a `max` of its own."""
    best = 0
    for x in xs:
        best = max(best, x)
    return best


def with_another(xs, max):
    n = 0
    for x in xs:
        n += x
    return n + max


def swing(xs):
    s = hi = lo = 0
    for x in xs:
        s += x
        hi = max(hi, s)
        lo = min(lo, s)
    return hi - lo


def least_start(xs):
    s = need = 0
    for x in xs:
        s += x
        need = max(need, -s)
    return need


def ever_above(xs):
    s, hit = 0, False
    for x in xs:
        s += x
        hit = hit or s > 7
    return hit


def two_budgets(xs):
    a = b = 0
    ok = True
    for x, y in xs:
        a += x
        b += y
        ok = ok and a >= 0 and b <= 7
    return ok


def stays_within(xs):
    s, ok = 0, True
    for x in xs:
        s += x
        if s > 7 or s < -2:
            ok = False
    return ok


def stays_within_chain(xs):
    s, ok = 0, True
    for x in xs:
        s += x
        ok = ok and -2 <= s <= 7
    return ok


def depth_and_validity(text):
    d = mx = 0
    ok = True
    for c in text:
        if c == "(":
            d += 1
            mx = max(mx, d)
        elif c == ")":
            d -= 1
            if d < 0:
                ok = False
    return ok and d == 0, mx


def stays_between(xs, lo, hi):
    s = 0
    ok = True
    for x in xs:
        s += x
        if s < lo or s > hi:
            ok = False
    return ok


def farthest(xs):
    s = m = 0
    for x in xs:
        s += x
        m = max(m, abs(s))
    return m


def sorted_return(xs):
    prev = float("-inf")
    for x in xs:
        if x < prev:
            return False
        prev = x
    return True


def sorted_without_a_start(xs):
    prev = None
    for x in xs:
        if prev is not None and x < prev:
            return False
        prev = x
    return True


def falls_far(xs):
    hi = 0
    for x in xs:
        hi = max(hi, x)
        if hi - x > 4:
            return True
    return False


def two_above_a_floor(xs):
    m1 = m2 = -(10**9)
    for x in xs:
        if x > m1:
            m1, m2 = x, m1
        elif x > m2:
            m2 = x
    return m1, m2


def letters_of(words):
    s = set()
    for w in words:
        s |= set(w)
    return s


def by_a_helper(xs):
    s = 0
    for x in xs:
        s = bumped(s, x)
    return s


def clipped_by_a_helper(xs):
    s = 0
    for x in xs:
        s = clipped(s + x, -3, 12)
    return s


def inside_by_a_helper(text):
    on, n = False, 0
    for c in text:
        on = advanced(on, c)
        if on:
            n += 1
    return n


def smoothed_from_the_first(xs):
    s = None
    for x in xs:
        s = x if s is None else s + 0.3 * (x - s)
    return s


def best_segment_from_none(xs):
    best = None
    cur = 0
    for x in xs:
        cur = max(cur + x, x)
        if best is None or cur > best:
            best = cur
    return best


def time_open(events):
    start, total = None, 0
    for kind, t in events:
        if kind == "open":
            start = t
        elif kind == "close" and start is not None:
            total += t - start
            start = None
    return total


def rise_from_the_first(xs):
    first, best = None, 0
    for x in xs:
        if first is None:
            first = x
        best = max(best, x - first)
    return best


def matched(events):
    n = 0
    for e in events:
        match e:
            case "in" | "back":
                n += 1
            case "out":
                n -= 1
            case None:
                continue
            case _:
                n += 2
    return n


def held_peak(xs):
    m = 0
    for x in xs:
        m = max(0.5 * m, x)
    return m


def raised_by_a_level(xs):
    s = hit = 0
    for x in xs:
        s += x
        if s > 7:
            hit = 1
    return hit


def farthest_beside_its_names(xs):
    s = m = m_1 = minus_s = 0
    for x in xs:
        s += x
        m = max(m, abs(s))
        m_1 += 1
        minus_s = max(minus_s, x)
    return m, m_1, minus_s


def best_segment_by_prefixes(xs):
    s = lo = best = 0
    for x in xs:
        s += x
        best = max(best, s - lo)
        lo = min(lo, s)
    return best, lo


def worst_segment_by_prefixes(xs):
    s = hi = 0
    worst = 10**9
    for x in xs:
        s = s + x
        if s - hi < worst:
            worst = s - hi
        if s > hi:
            hi = s
    return s, worst


def farthest_prefix(xs):
    s = far = 0
    for x in xs:
        s += x
        if abs(s) > far:
            far = abs(s)
    return far


def largest_lead(pairs):
    a = b = lead = 0
    for x, y in pairs:
        a += x
        b += y
        lead = max(lead, b - a)
    return a, b, lead


def ever_ahead(pairs):
    a = b = 0
    ahead = False
    for x, y in pairs:
        a += x
        b += y
        if b > a:
            ahead = True
    return ahead


def balance_by_bits(text):
    depth, ok = 0, True
    for c in text:
        depth += (c == "(") - (c == ")")
        ok &= depth >= 0
    return ok and depth == 0


def multiples_of_three(xs: list[int]):
    state = count = 0
    for x in xs:
        state = (state + x) % 3
        if state == 0:
            count += 1
    return count


def binary_multiples_of_five(bits):
    r = n = 0
    for b in bits:
        r = (2 * r + b) % 5
        n += r == 0
    return r, n


def sum_while_even(xs: list[int]):
    low = 0
    s = 0
    for x in xs:
        low = (low + x) & 1
        if not low:
            s += x
    return s


def by_a_table(text):
    table = {("a", 0): 1, ("b", 0): 0, ("a", 1): 1, ("b", 1): 2, ("a", 2): 1, ("b", 2): 0}
    state = 0
    for c in text:
        state = table[c, state]
    return state == 2


RULES = {"start": {"a": "seen", "b": "start"}, "seen": {"a": "seen", "b": "start"}}


def by_rows_of_the_file(text):
    state, n = "start", 0
    for c in text:
        if RULES[state][c] != state:
            n += 1
        state = RULES[state][c]
    return state, n


def by_columns(bits):
    rows = [(0, 1, 0), [1, 2, 2]]
    state = hits = 0
    for b in bits:
        state = rows[b][state]
        hits += state == 2
    return hits


def by_a_table_with_a_default(text):
    moves = {(0, "a"): 1, (1, "b"): 2}
    state = 0
    for c in text:
        state = moves.get((state, c), 0)
    return state


def by_rows_with_defaults(text):
    moves = {0: {"a": 1}, 1: {"a": 1, "b": 2}}
    state = 0
    for c in text:
        state = moves.get(state, {}).get(c, 0)
    return state


def by_a_table_alone(xs):
    following = {"red": "green", "green": "yellow", "yellow": "red"}
    light = "red"
    for x in xs:
        if x > 0:
            light = following[light]
    return light


def by_a_table_in_place(xs):
    state, n = 0, 0
    for x in xs:
        n += [0, 0, 1][state]
        state = (1, 2, 0)[state] if x > 1 else state
    return state, n


def by_rows_in_place(xs):
    state = 0
    for x in xs:
        state = ((1, 0), (2, 0), (2, 2))[state][x > 0]
    return state


def by_pairs_in_place(text):
    state = "out"
    for c in text:
        state = {("out", "a"): "in", ("in", "b"): "done"}.get((state, c), "out")
    return state


def remainders_from_afar(xs):
    state, count = 7, 0
    for x in xs:
        if x > 0:
            state = (state + x) % 3
        count += state == 0
    return count


def changes(xs):
    out = []
    prev = None
    for x in xs:
        if x != prev:
            out.append(x)
        prev = x
    return out


def single_spaces(text):
    out, prev = "", ""
    for c in text:
        if c != prev or c != " ":
            out += c
        prev = c
    return out


def inside_brackets(text):
    inside = False
    out = []
    for c in text:
        if c == "(":
            inside = True
        elif c == ")":
            inside = False
        elif inside:
            out.append(c)
    return out


def inverses_of_changes(xs):
    out = []
    prev = 0
    for x in xs:
        if x != 0 and x != prev:
            out.append(6 / x)
        prev = x
    return out


def rises_after(xs, out):
    prev = 0
    for x in xs:
        if x > prev:
            out.append(x)
        prev = x
    return out


def neighbours_once(xs):
    out = []
    for x in xs:
        if not out or out[-1] != x:
            out.append(x)
    return out


def neighbours_skipped(words):
    out = []
    for w in words:
        if len(out) > 0 and out[-1] == w.lower():
            continue
        out.append(w.lower())
    return out


def first_few(xs, k):
    out = []
    for x in xs:
        if len(out) < k:
            out.append(x)
    return out


def first_three_squares(xs):
    out = []
    for x in xs:
        if x > 0:
            if len(out) <= 2:
                out.append(x * x)
    return out


def first_few_and_no_more(xs, k):
    out = []
    for x in xs:
        if len(out) >= k:
            break
        out.append(x)
    return out


def in_order_once(xs):
    seen = set()
    out = []
    for x in xs:
        if x in seen:
            continue
        seen.add(x)
        out.append(x)
    return out


def in_order_once_by_the_list(xs):
    out = []
    for x in xs:
        if x > 0 and x not in out:
            out.append(x)
    return out


def how_many_distinct(xs):
    seen = set()
    n = 0
    for x in xs:
        if x not in seen:
            n += 1
        seen.add(x)
    return n


def totals_and_counts(pairs):
    d = {}
    for k, x in pairs:
        if k in d:
            d[k] = (d[k][0] + x, d[k][1] + 1)
        else:
            d[k] = (x, 1)
    return d


def totals_and_counts_by_get(pairs):
    d = {}
    for k, x in pairs:
        s, n = d.get(k, (0, 0))
        d[k] = (s + x, n + 1)
    return d


def totals_and_counts_in_lists(pairs):
    d = {}
    for k, x in pairs:
        if k not in d:
            d[k] = [0, 0]
        d[k][0] += x
        d[k][1] += 1
    return d


def means_of_lists(pairs):
    d = defaultdict(lambda: [0, 0])
    for k, x in pairs:
        d[k][0] += x
        d[k][1] += 1
    return {k: s / n for k, (s, n) in d.items()}


def ranges_by_key(pairs):
    d = {}
    for k, x in pairs:
        if k in d:
            lo, hi = d[k]
            d[k] = (min(lo, x), max(hi, x))
        else:
            d[k] = (x, x)
    return d


def totals_by_a_choice(pairs):
    d = {}
    for k, x in pairs:
        d[k] = (d[k][0] + x, d[k][1] + 1) if k in d else (x, 1)
    return d


def running_means_by_key(pairs):
    d = {}
    for k, x in pairs:
        n, mean = d.get(k, (0, 0.0))
        n += 1
        d[k] = (n, mean + (x - mean) / n)
    return d


def best_segments_by_key(pairs):
    d = {}
    for k, x in pairs:
        here, best = d.get(k, (0, 0))
        here = max(0, here + x)
        d[k] = (here, max(best, here))
    return d


def totals_beside_a_count(pairs):
    d = {}
    n = 0
    for k, x in pairs:
        a, b = d.get(k, (0, 0))
        d[k] = (a + x, b + 1)
        n += 1
    return d, n


def largest_rows(rows):
    m = np.zeros(3)
    for row in rows:
        m = np.maximum(m, row)
    return m


def smallest_rows(rows):
    m = np.full(3, np.inf)
    for row in rows:
        m = np.minimum(m, row)
    return m


def largest_by_zip(rows):
    m = [0, 0, 0]
    for row in rows:
        m = [max(a, b) for a, b in zip(m, row)]
    return m


def sums_by_zip(rows):
    m = [0, 0, 0]
    for row in rows:
        m = [a + b for a, b in zip(m, row)]
    return m


def largest_tensors(rows):
    m = torch.zeros(3)
    for row in rows:
        m = torch.maximum(m, row)
    return m


def best_segments_of_columns(rows):
    here = np.zeros(3)
    best = np.zeros(3)
    for row in rows:
        here = np.maximum(here + row, 0)
        best = np.maximum(best, here)
    return best


def best_segments_of_tensors(rows):
    here = torch.zeros(3)
    best = torch.zeros(3)
    for row in rows:
        here = torch.clamp(here + row, min=0)
        best = torch.maximum(best, here)
    return best


def growth_by_zip(rows):
    here = [0, 0]
    best = [0, 0]
    for row in rows:
        here = [max(a, a + b) for a, b in zip(here, row)]
        best = [max(a, b) for a, b in zip(best, here)]
    return best


def ranges_of_columns(rows: np.ndarray):
    lo = np.full(3, np.inf)
    hi = np.full(3, -np.inf)
    for row in rows:
        lo = np.minimum(lo, row)
        hi = np.maximum(hi, row)
    return hi - lo


def largest_from_the_first_row(rows: np.ndarray):
    m = rows[0]
    for row in rows[1:]:
        m = np.maximum(m, row)
    return m


def levels_of_columns(rows):
    level = np.zeros(3)
    for row in rows:
        level = np.minimum(np.maximum(level + row, 0), 5)
    return level


def clipped_columns(rows):
    level = np.zeros(3)
    for row in rows:
        level = np.clip(level - row, -2, 4)
    return level


def levels_of_tensors(rows):
    level = torch.zeros(3)
    for row in rows:
        level = torch.clamp(level + row, 0, 5)
    return level


def rectified_tensors(rows):
    level = torch.zeros(3)
    for row in rows:
        level = F.relu(level + row)
    return level


def tensors_above_a_bound(rows):
    level = torch.zeros(3)
    for row in rows:
        level = (level + row).clamp_min(-1)
    return level


def tensors_between_bounds(rows):
    level = torch.zeros(3)
    for row in rows:
        level = F.hardtanh(row + level, max_val=3.0)
    return level


def leaking_columns(rows):
    level = np.zeros(3)
    for row in rows:
        level = np.maximum(0.5 * level + row, -1)
    return level


def leaking_columns_between_bounds(rows):
    level = np.zeros(3)
    for row in rows:
        level = np.clip(0.5 * level + row, -1, 3)
    return level


def floods_of_columns(rows):
    here = np.zeros(3)
    worst = np.full(3, np.inf)
    for row in rows:
        here = np.maximum(np.minimum(here + row, 2), -3)
        worst = np.minimum(worst, row)
    return here + worst


def decaying_peaks(rows):
    m = np.zeros(3)
    for row in rows:
        m = np.maximum(m - 1, row)
    return m


def longest_run_and_its_end(xs):
    cur = best = 0
    end = 0
    for i, x in enumerate(xs):
        if x > 0:
            cur += 1
        else:
            cur = 0
        if cur > best:
            best = cur
            end = i
    return best, end


def longest_run_and_its_start(xs):
    cur = best = start = 0
    for i, x in enumerate(xs):
        cur = cur + 1 if x > 0 else 0
        if cur > best:
            best = cur
            start = i - cur + 1
    return best, start


def longest_run_and_its_value(xs):
    cur = best = 0
    value = None
    for x in xs:
        cur = cur + 1 if x > 0 else 0
        if cur > best:
            best = cur
            value = x
    return best, value


def best_segment_and_its_end(xs):
    here = best = 0
    end = -1
    for i, x in enumerate(xs):
        here = max(0, here + x)
        if here > best:
            best = here
            end = i
    return best, end


def best_segment_by_pairs(xs):
    here = 0
    best = -(10**9)
    end = None
    for i, x in enumerate(xs):
        here = max(x, here + x)
        if here > best:
            best, end = here, i
    return best, end


def where_to_begin(gas, cost):
    total = tank = start = 0
    for i, (g, c) in enumerate(zip(gas, cost)):
        total += g - c
        tank += g - c
        if tank < 0:
            start = i + 1
            tank = 0
    return start if total >= 0 else -1


def highest_prefix_and_where(xs):
    s = best = 0
    where = -1
    for i, x in enumerate(xs):
        s += x
        if s > best:
            best = s
            where = i
    return best, where


def where_the_lowest_prefix_is(xs):
    s = 0
    low = 0
    where = -1
    for i, x in enumerate(xs):
        s += x
        if s < low:
            low, where = s, i
    return where


def best_segment_by_prefixes_and_its_end(xs):
    s = lo = best = 0
    end = -1
    for i, x in enumerate(xs):
        s += x
        if s - lo > best:
            best = s - lo
            end = i
        lo = min(lo, s)
    return best, end


def day_of_the_worst_loss(prices):
    peak = 0
    worst = 0
    day = None
    for i, p in enumerate(prices):
        peak = max(peak, p)
        if peak - p > worst:
            worst = peak - p
            day = i
    return worst, day


def longest_run_from_and_to(xs):
    cur = best = start = 0
    end = -1
    for i, x in enumerate(xs):
        cur = cur + 1 if x > 0 else 0
        if cur > best:
            best = cur
            start = i - cur + 1
            end = i
    return best, start, end


def unmatched_brackets(text):
    need = have = 0
    for c in text:
        if c == "(":
            have += 1
        elif have > 0:
            have -= 1
        else:
            need += 1
    return need + have


def unmatched_each_way(text):
    need = have = 0
    for c in text:
        if c == "(":
            have += 1
        elif c == ")":
            if have:
                have -= 1
            else:
                need += 1
    return need, have


def lives_left(text):
    have = 0
    for c in text:
        if c == "+":
            have += 2
        elif have == 0:
            pass
        else:
            have -= 1
    return have


def matched_pairs(text):
    open_ = pairs = 0
    for c in text:
        if c == "(":
            open_ += 1
        elif open_ > 0:
            open_ -= 1
            pairs += 1
    return pairs


def can_jump_to_the_end(a):
    reach = 0
    for i, x in enumerate(a):
        if i > reach:
            return False
        reach = max(reach, i + x)
    return True


def can_jump_by_places(a):
    reach = 0
    for i in range(len(a)):
        if i > reach:
            return False
        if i + a[i] > reach:
            reach = i + a[i]
    return True


def can_jump_by_a_flag(a):
    reach = 0
    ok = True
    for i, x in enumerate(a):
        if i > reach:
            ok = False
        reach = max(reach, i + x)
    return ok


def gap_between_intervals(intervals):
    end = 0
    gap = False
    for a, b in intervals:
        if a > end:
            gap = True
        end = max(end, b)
    return gap, end


def near_its_peak(xs):
    peak = xs[0]
    drop = False
    for x in xs:
        peak = max(peak, x)
        if x + 2 > peak:
            drop = True
    return drop


def prices(items: list[Priced]):
    total = 0
    for item in items:
        if item.price == 3:
            total += item.price
    return total


def reversed_text(text):
    out = ""
    for c in text:
        out = c + out
    return out


def reversed_doubles(xs):
    out = []
    for x in xs:
        out = [2 * x] + out
    return out


def totals_by_a_name(rows):
    held = {}
    for k, v in rows:
        new = held.get(k, 0) + v
        held[k] = new
    return held


def range_that_begins_as_none(xs):
    lo = hi = None
    for x in xs:
        if lo is None:
            lo = hi = x
        else:
            if x < lo:
                lo = x
            if x > hi:
                hi = x
    return lo, hi


def attempted_sum(xs):
    bad = total = 0
    for x in xs:
        try:
            total += int(x)
        except ValueError:
            bad += 1
    return total, bad


def attempted_lines(lines):
    total = bad = short = 0
    for line in lines:
        if not line:
            continue
        try:
            value = int(line.split("a")[1])
        except IndexError:
            short += 1
        except (ValueError, TypeError):
            bad += 1
        else:
            total += value
    return total, bad, short


def attempted_good(xs):
    bad = 0
    good = []
    for x in xs:
        try:
            value = int(x)
        except ValueError:
            bad += 1
            continue
        good.append(value)
    return good, bad


def attempted_last(xs):
    total = 0
    value = 0
    for x in xs:
        try:
            value = int(x)
        except ValueError:
            pass
        total += value
    return total


def attempted_branch(xs):
    high = low = bad = 0
    for x in xs:
        try:
            if int(x) > 1:
                high += 1
            else:
                low += 1
        except ValueError:
            bad += 1
    return high, low, bad


def counted_by_attempts(words):
    counts = {}
    for word in words:
        try:
            counts[word] += 1
        except KeyError:
            counts[word] = 1
    return counts


def first_by_default(pairs):
    first = {}
    for k, v in pairs:
        first[k] = first.get(k, v)
    return first


def first_by_setdefault(pairs):
    first = {}
    for k, v in pairs:
        first.setdefault(k, v)
    return first


def largest_by_default(pairs):
    largest = {}
    for k, v in pairs:
        largest[k] = max(v, largest.get(k, v))
    return largest


def smoothed_by_key(pairs):
    level = {}
    for k, v in pairs:
        level[k] = 0.5 * level.get(k, v) + 0.5 * v
    return level


def one_of_two_lists(xs):
    less, more = [], []
    for x in xs:
        (less if x < 2 else more).append(x)
    return less, more


def span_by_branches(xs):
    lo = hi = None
    for x in xs:
        if lo is None:
            lo = hi = x
        elif x < lo:
            lo = x
        elif x > hi:
            hi = x
    return lo, hi


def span_from_zero(xs):
    lo = hi = 0
    for x in xs:
        if x >= hi:
            hi = x
        elif x <= lo:
            lo = x
    return hi - lo


def last_few(xs, k):
    kept = deque(maxlen=k)
    for x in xs:
        kept.append(x)
    return list(kept)


def last_few_positive(xs):
    n = 0
    kept = deque([], 3)
    for x in xs:
        n += 1
        if x > 0:
            kept.append(x)
    return n, kept


def last_few_by_slices(xs, k):
    kept = []
    for x in xs:
        kept = (kept + [x])[-k:]
    return kept


def last_few_by_leaving(xs):
    kept = []
    for x in xs:
        kept.append(x)
        if len(kept) > 3:
            kept.pop(0)
    return kept


def anything_twice(xs):
    seen = set()
    twice = False
    for x in xs:
        if x in seen:
            twice = True
        seen.add(x)
    return twice


def anything_twice_returned(xs):
    seen = set()
    for x in xs:
        if x in seen:
            return True
        seen.add(x)
    return False


def how_often_again(xs):
    seen = set()
    again = new = 0
    for x in xs:
        if x % 2:
            continue
        if x in seen:
            again += 1
        else:
            seen.add(x)
            new += 1
    return again, new


def mean_of_some(xs):
    n, mean = 0, 0.0
    for x in xs:
        if x < 0:
            continue
        n += 1
        mean += (x - mean) / n
    return mean


def first_parts(lines):
    counts = Counter()
    for line in lines:
        level, _, _ = line.partition("a")
        counts[level] += 1
    return counts


def open_high_low_close(prices):
    first = high = low = last = None
    for p in prices:
        if first is None:
            first = high = low = p
        high = max(high, p)
        low = min(low, p)
        last = p
    return first, high, low, last


def without_double_spaces(text):
    out = []
    prev = ""
    for c in text:
        if c == " " and prev == " ":
            continue
        out.append(c)
        prev = c
    return "".join(out)


def one_of_two_lists_by_name(xs):
    good, bad = [], []
    for x in xs:
        target = good if 0 <= x <= 5 else bad
        target.append(x)
    return good, bad


def nothing_twice(xs):
    seen = set()
    once = True
    for x in xs:
        if x in seen:
            once = False
        seen.add(x)
    return once


def last_two_positive(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
            if len(kept) > 2:
                del kept[0]
    return kept


def seen_from_and_to(events):
    span = {}
    for key, t in events:
        lo, hi = span.get(key, (t, t))
        span[key] = (min(lo, t), max(hi, t))
    return span


def span_under_a_name(events):
    span = {}
    for key, t in events:
        prev = span.get(key)
        if prev is None:
            span[key] = (t, t)
        else:
            span[key] = (min(prev[0], t), max(prev[1], t))
    return span


def dict_in_each_entry(events):
    out = {}
    for k, v in events:
        s = out.get(k)
        if s is None:
            s = {"n": 0, "sum": 0.0, "min": v, "max": v}
            out[k] = s
        s["n"] += 1
        s["sum"] += v
        s["min"] = min(s["min"], v)
        s["max"] = max(s["max"], v)
    return out


def dicts_that_are_made(events):
    out = defaultdict(lambda: {"count": 0, "best": float("-inf")})
    for k, v in events:
        e = out[k]
        e["count"] += 1
        if v > e["best"]:
            e["best"] = v
    return dict(out)


def list_under_a_name(events):
    out = {}
    for k, v in events:
        e = out.setdefault(k, [0, 0])
        e[0] += 1
        e[1] += v
    return out


def list_put_back_at_the_end(events):
    out = {}
    for k, v in events:
        e = out.get(k)
        if e is None:
            e = [0, v]
        e[0] += 1
        e[1] = max(e[1], v)
        out[k] = e
    return out


def list_named_and_kept(events):
    out = {}
    for k, v in events:
        e = out.get(k)
        if e is None:
            e = out[k] = [0, v]
        e[0] += 1
        e[1] = v
    return out


def counts_in_an_array(values: list[int]):
    out = np.zeros(9, dtype=int)
    for v in values:
        if 0 <= v:
            out[v % 9] += 1 if v < 5 else 2
    return out


def members_in_and_out(lights):
    on = set()
    for k in lights:
        if k in on:
            on.remove(k)
        else:
            on.add(k)
    return on


def present_members(events):
    here = set()
    n = 0
    for who, what in events:
        n += 1
        if what == "in":
            here.add(who)
        elif what == "out" and who in here:
            here.remove(who)
    return len(here), n


def best_above_nothing(rows):
    best = {}
    for k, v in rows:
        if v > best.get(k, 0):
            best[k] = v
    return best


def least_below_a_start(rows):
    best = {}
    for k, v in rows:
        if v != 3 and best.get(k, 2) > v:
            best[k] = v
    return best


def best_stretch_and_its_ends(xs):
    best = float("-inf")
    cur = 0
    start = 0
    lo = 0
    hi = 0
    for i, x in enumerate(xs):
        if cur <= 0:
            cur = x
            start = i
        else:
            cur += x
        if cur > best:
            best = cur
            lo, hi = start, i
    return best, lo, hi


def best_stretch_left_when_below_nothing(xs):
    best = 0
    cur = 0
    start = 0
    lo = 0
    hi = 0
    for i, x in enumerate(xs):
        cur += x
        if cur > best:
            best = cur
            lo = start
            hi = i + 1
        if cur < 0:
            cur = 0
            start = i + 1
    return best, lo, hi


def best_stretch_kept_on_a_tie(xs):
    best = -math.inf
    cur = 0
    start = lo = hi = None
    for i, x in enumerate(xs):
        if cur < 0:
            cur = x
            start = i
        else:
            cur = cur + x
        if cur > best:
            best, lo, hi = cur, start, i
    return best, lo, hi


def least_stretch_and_its_ends(xs):
    best = 0
    cur = 0
    start = 0
    lo = 0
    hi = 0
    for i, x in enumerate(xs):
        if cur > 0:
            cur = x
            start = i
        else:
            cur += x
        if cur < best:
            best, lo, hi = cur, start, i
    return best, lo, hi


def worst_fall_and_its_days(prices):
    peak = prices[0]
    peak_day = 0
    worst = 0
    begin = 0
    end = 0
    for day, price in enumerate(prices):
        if price > peak:
            peak = price
            peak_day = day
        if peak - price > worst:
            worst = peak - price
            begin, end = peak_day, day
    return worst, begin, end


def best_trade_and_its_days(prices):
    low = math.inf
    low_day = None
    best = 0
    buy = sell = None
    for day, p in enumerate(prices):
        if p <= low:
            low = p
            low_day = day
        if p - low > best:
            best = p - low
            buy = low_day
            sell = day
    return best, buy, sell


def worst_fall_as_a_negative(prices):
    peak = -math.inf
    peak_day = None
    worst = 0
    begin = end = None
    for day, p in enumerate(prices):
        if p >= peak:
            peak = p
            peak_day = day
        dd = p - peak
        if dd < worst:
            worst = dd
            begin, end = peak_day, day
    return worst, begin, end


def longest_stretch_of_truths(xs):
    n = 0
    start = 0
    best = 0
    where = -1
    for i, up in enumerate(xs):
        if up:
            n += 1
        else:
            n = 0
            start = i + 1
        if n > best:
            best = n
            where = start
    return best, where


def totals_begun_by_the_element(rows):
    total = 0
    since = None
    worst = 0
    begin = None
    end = None
    for kind, v in rows:
        if kind == "a":
            total = v
            since = kind + str(v)
        else:
            total += v
        if total > worst:
            worst = total
            begin = since
            end = v
    return worst, begin, end


def longest_run_of_the_same(xs):
    best = 0
    best_start = 0
    start = 0
    n = 0
    prev = None
    for i, x in enumerate(xs):
        if x == prev:
            n += 1
        else:
            n = 1
            start = i
            prev = x
        if n > best:
            best = n
            best_start = start
    return best, best_start


def runs_with_their_lengths(text):
    out = []
    prev = None
    n = 0
    for ch in text:
        if ch == prev:
            n += 1
        else:
            if prev is not None:
                out.append((prev, n))
            prev = ch
            n = 1
    if prev is not None:
        out.append((prev, n))
    return out


def sessions_between_pauses(rows):
    out = []
    last = None
    start = None
    total = 0
    for t, v in rows:
        if last is not None and t - last > 10:
            out.append((start, last, total))
            start = None
            total = 0
        if start is None:
            start = t
        total += v
        last = t
    return out, start, last, total


def sessions_as_dicts(rows):
    sessions = []
    begin = end = None
    count = 0
    for t, _ in rows:
        if end is None or t - end > 10:
            if end is not None:
                sessions.append({"begin": begin, "end": end, "n": count})
            begin = t
            count = 0
        count += 1
        end = t
    if end is not None:
        sessions.append({"begin": begin, "end": end, "n": count})
    return sessions


def fields_between_commas(text):
    out = []
    cur = ""
    for ch in text:
        if ch == ",":
            out.append(cur)
            cur = ""
        else:
            cur += ch
    out.append(cur)
    return out


def lists_between_nones(xs):
    out = []
    buf = []
    for x in xs:
        if x is None:
            out.append(buf)
            buf = []
        else:
            buf.append(x)
    return out, buf


def maxima_between_nones(xs):
    out = []
    top = None
    for x in xs:
        if x is None:
            if top is not None:
                out.append(top)
            top = None
        elif top is None or x > top:
            top = x
    return out, top


def runs_counted_in_the_last_entry(text):
    out = []
    for ch in text:
        if out and out[-1][0] == ch:
            out[-1][1] += 1
        else:
            out.append([ch, 1])
    return out


def runs_as_new_tuples(text):
    out = []
    for ch in text:
        if out and out[-1][0] == ch:
            out[-1] = (ch, out[-1][1] + 1)
        else:
            out.append((ch, 1))
    return out


def runs_as_dicts(text):
    out = []
    for ch in text:
        if not out or ch != out[-1]["ch"]:
            out.append({"ch": ch, "n": 0})
        out[-1]["n"] += 1
    return [(e["ch"], e["n"]) for e in out]


def sessions_by_their_last_time(times):
    out = []
    for t in times:
        if out and t - out[-1][1] <= 10:
            out[-1][1] = t
        else:
            out.append([t, t])
    return out


def sessions_taken_apart(times):
    out = []
    for t in times:
        if not out or t - out[-1][1] > 10:
            out.append((t, t, 1))
        else:
            a, b, n = out[-1]
            out[-1] = (a, t, n + 1)
    return out


def lengths_counted_in_the_list(xs):
    out = []
    prev = None
    for x in xs:
        if x == prev:
            out[-1] += 1
        else:
            out.append(1)
        prev = x
    return out


def sums_between_nones(xs):
    sums = []
    for x in xs:
        if x is None or not sums:
            sums.append(0)
        if x is not None:
            sums[-1] += x
    return sums


def shares_of_each_key(rows):
    totals = Counter()
    for key, _ in rows:
        totals[key] += 1
    return {key: totals[key] / len(totals) for key in totals}


def second_largest_of_those_that_differ(xs):
    first = second = float("-inf")
    for x in xs:
        if x > first:
            second = first
            first = x
        elif first > x > second:
            second = x
    return second


def two_smallest_begun_as_none(xs):
    low = None
    second = None
    for x in xs:
        if low is None or x < low:
            second = low
            low = x
        elif second is None or x < second:
            second = x
    return low, second


def three_largest_begun_as_none(xs):
    a = b = c = None
    for x in xs:
        if a is None or x > a:
            a, b, c = x, a, b
        elif b is None or x > b:
            b, c = x, b
        elif c is None or x > c:
            c = x
    return a, b, c


def second_that_differs_begun_as_none(xs):
    a = b = None
    for x in xs:
        if a is None or x > a:
            a, b = x, a
        elif x != a and (b is None or x > b):
            b = x
    return b


def bits_counted_by_a_while(xs):
    total = 0
    for x in xs:
        n = abs(x)
        count = 0
        while n > 0:
            count += n & 1
            n >>= 1
        total += count
    return total


def most_steps_of_a_while(xs):
    most = 0
    for x in xs:
        n, steps = x, 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        most = max(most, steps)
    return most


def last_three_cut_before(xs):
    w = []
    for x in xs:
        if len(w) == 3:
            w.pop(0)
        w.append(x)
    return w


def last_hundred(xs):
    w = []
    for x in xs:
        w.append(x)
        if len(w) > 100:
            w.pop(0)
    return w


def last_three_by_what_is_left(xs):
    w = []
    for x in xs:
        w.append(x * 2)
        del w[:-3]
    return w


def last_few_by_a_while(xs, k):
    w = []
    for x in xs:
        w.append(x)
        while len(w) > k:
            del w[0]
    return sum(w)


def last_few_of_a_deque(xs, k):
    w = deque()
    for x in xs:
        w.append(x)
        if len(w) > k:
            w.popleft()
    return list(w)


def last_few_put_back(xs):
    w = []
    for x in xs:
        w.append(x)
        if not len(w) <= 2:
            w[:] = w[1:]
    return w


def last_few_that_are_positive(xs, k):
    w = []
    for x in xs:
        if x > 0:
            if len(w) >= k:
                del w[0]
            w.append(x)
    return w


def distinct_second(xs):
    a = b = -math.inf
    for x in xs:
        if x > a:
            b = a
            a = x
        elif x > b and x != a:
            b = x
    return b


def dicts_of_some_elements(rows):
    out = {}
    for k, v in rows:
        if v < 0:
            continue
        s = out.get(k)
        if s is None:
            s = {"n": 0, "sum": 0.0, "min": v}
            out[k] = s
        s["n"] += 1
        s["sum"] += v
        s["min"] = min(s["min"], v)
    return out


def lists_with_the_first_value(rows):
    out = {}
    for k, v in rows:
        if v == 0:
            continue
        if k in out:
            out[k][0] += 1
        else:
            out[k] = [1, v]
    return out


def entries_up_and_down(rows):
    out = {}
    for k, v in rows:
        if v > 0:
            out[k] = out.get(k, 0) + 1
        elif v < -2:
            out[k] = out.get(k, 0) - 1
    return out


def three_largest_sorted_down(xs):
    top = []
    for x in xs:
        top.append(x)
        top.sort(reverse=True)
        top = top[:3]
    return top


def few_largest_sorted_up(xs, k):
    top = []
    for x in xs:
        top.append(x)
        top.sort()
        if len(top) > k:
            top.pop(0)
    return top


def few_smallest_cut(xs, k):
    top = []
    for x in xs:
        top = sorted(top + [x])[:k]
    return top


def two_smallest_deleted_to(xs):
    top = []
    for x in xs:
        top.append(-x)
        top = sorted(top)
        del top[2:]
    return top


def a_value_that_never_changes(pairs):
    d = {}
    for k, x in pairs:
        if k not in d:
            d[k] = [0, 7]
        d[k][0] += x
    return d


def largest_product(xs):
    hi = lo = 1
    best = -math.inf
    for x in xs:
        a, b = hi * x, lo * x
        hi = max(x, a, b)
        lo = min(x, a, b)
        best = max(best, hi)
    return best


def largest_product_by_turns(xs):
    best = -math.inf
    hi, lo = 1, 1
    for x in xs:
        if x < 0:
            hi, lo = lo, hi
        hi = max(x, x * hi)
        lo = min(x, x * lo)
        best = max(best, hi)
    return best, lo


def largest_product_by_cases(xs):
    hi = lo = 1
    best = 0
    for x in xs:
        if x >= 0:
            hi, lo = max(x, hi * x), min(x, lo * x)
        else:
            hi, lo = max(x, lo * x), min(x, hi * x)
        if hi > best:
            best = hi
    return best


def largest_product_from_the_first(xs):
    hi = lo = best = xs[0]
    for x in xs[1:]:
        hi, lo = max(x, hi * x, lo * x), min(x, hi * x, lo * x)
        best = max(best, hi)
    return best


def mean_by_weight_of_some(pairs):
    total = mean = 0.0
    for k, x in pairs:
        if x <= 0:
            continue
        total += x
        mean += x / total * (k - mean)
    return mean


def last_that_a_mask_picks(x: np.ndarray, mask: np.ndarray):
    kept = np.zeros(3)
    for t in range(len(x)):
        kept = np.where(mask[t], x[t], kept)
    return kept


def last_tensors_of_a_mask(x: torch.Tensor, mask: torch.Tensor):
    kept = torch.zeros(3)
    for row, picked in zip(x, mask):
        kept = torch.where(picked, row, kept)
    return kept


def larger_by_choice(x: torch.Tensor):
    kept = torch.full((3,), -torch.inf)
    for row in x:
        kept = torch.where(kept > row, kept, row)
    return kept


def cleared_where_done(r: torch.Tensor, done: torch.Tensor, g: float):
    kept = torch.zeros(3)
    for row, ended in zip(r, done):
        kept = kept.masked_fill(ended, 0.0) * g + row
    return kept


def blended(x: torch.Tensor, w: torch.Tensor):
    kept = torch.zeros(3, dtype=torch.float64)
    for row, weight in zip(x, w):
        kept = torch.lerp(kept, row, weight)
    return kept


def fused_product(a: torch.Tensor, b: torch.Tensor):
    kept = torch.zeros(3)
    for p, q in zip(a, b):
        kept = torch.addcmul(q, p, kept)
    return kept


def log_sum_of_rows(x: np.ndarray):
    acc = np.full(3, -np.inf)
    for row in x:
        acc = np.logaddexp(acc, row)
    return acc


def log_sums_decayed(x: torch.Tensor, w: float):
    acc = torch.full((3,), -float("inf"))
    for row in x:
        acc = torch.logaddexp(acc - w, row)
    return acc


def rescaled_by_its_maximum(x: np.ndarray):
    m = np.full(3, -np.inf)
    total = np.zeros(3)
    for row in x:
        new = np.maximum(m, row)
        total = total * np.exp(m - new) + np.exp(row - new)
        m = new
    return m + np.log(total)


def named_outputs(x: list[float], right: float):
    left = 0.0
    for both in x:
        left = right * left + both
    return left


def by_operators(xs: list[int]):
    import operator

    flags = 0
    for x in xs:
        flags = operator.xor(flags, x)
    return flags


def rows_beside_a_saturated_count(rows):
    m = np.zeros(3)
    n = 0
    for row in rows:
        m = np.maximum(m, row)
        if n < 3:
            n += 1
    return m, n


def best_segment_and_its_length(xs):
    best = cur = float("-inf")
    best_length = length = 0
    for x in xs:
        if cur > 0:
            cur += x
            length += 1
        else:
            cur = x
            length = 1
        if cur > best:
            best = cur
            best_length = length
    return best, best_length


def worst_streak_and_its_days(deltas):
    worst = loss = 0
    worst_days = days = 0
    for d in deltas:
        if loss + d < 0:
            loss, days = loss + d, days + 1
        else:
            loss, days = 0, 0
        if loss < worst:
            worst, worst_days = loss, days
    return worst, worst_days


def segment_that_began_before(xs, cur, length):
    best, best_length, best_at = -(10**9), 0, -1
    for i, x in enumerate(xs):
        if cur < 0:
            cur, length = x, 2
        else:
            cur, length = cur + x, length + 2
        if cur > best:
            best, best_length, best_at = cur, length, i
    return best, best_length, best_at, length


def heap_of_the_largest(stream):
    heap = []
    for value in stream:
        if len(heap) < 3:
            heapq.heappush(heap, value)
        else:
            heapq.heappushpop(heap, value)
    return sorted(heap)


def heap_of_pairs(stream: list[tuple[float, int]]):
    heap = []
    for s, i in stream:
        if len(heap) < 3:
            heapq.heappush(heap, (s, i))
        elif (s, i) > heap[0]:
            heapq.heapreplace(heap, (s, i))
    return sorted(heap, reverse=True)


def heap_of_the_least(stream: list[float]):
    heap = []
    for value in stream:
        heapq.heappush(heap, -value)
        if len(heap) > 4:
            heapq.heappop(heap)
    return -heap[0]


def third_of_different_ones(xs):
    a = b = c = float("-inf")
    for x in xs:
        if x in (a, b, c):
            continue
        if x > a:
            a, b, c = x, a, b
        elif x > b:
            b, c = x, b
        elif x > c:
            c = x
    return c


def squares_and_peak_of_scalars(xs: list[float]):
    acc = np.float64(0.0)
    peak = -np.inf
    for x in xs:
        acc += x * x
        peak = np.maximum(peak, x)
    return np.sqrt(acc), peak


def seen_in_each_place(x: np.ndarray):
    seen = np.zeros(3, dtype=bool)
    for row in x:
        seen = np.logical_or(seen, row > 2)
    return seen


def first_in_each_place(x: np.ndarray):
    found = np.zeros(3, dtype=bool)
    kept = np.zeros(3)
    for row in x:
        kept = np.where(found, kept, np.where(row > 2, row, kept))
        found = np.logical_or(found, row > 2)
    return kept


def best_of_each_place_and_where(x: np.ndarray):
    best = np.full(3, -np.inf)
    at = np.full(3, -1.0)
    for t, row in enumerate(x):
        better = row > best
        best = np.where(better, row, best)
        at = np.where(better, t, at)
    return best, at


def divisor_of_what_is_given(xs, g):
    for x in xs:
        g = math.gcd(g, x)
    return g


def multiple_of_the_first(xs, g):
    for x in xs:
        if x > 0:
            g = math.lcm(x, g)
    return g


def longest_mountain(xs: list[int]) -> int:
    best, up, down = 0, 0, 0
    prev = None
    for x in xs:
        if prev is None or x == prev:
            up, down = 0, 0
        elif x > prev:
            if down > 0:
                up = 0
            up += 1
            down = 0
        elif up:
            down += 1
            best = max(best, up + down + 1)
        prev = x
    return best


def after_the_first(flags: list[bool | None]) -> int:
    seen, after = 0, 0
    for flag in flags:
        if flag:
            seen += 1
        elif seen > 0:
            after += 1
            if flag is None:
                seen = 0
    return after


def ones_before_zeros(bits: list[int]) -> int:
    best, ones, zeros = 0, 0, 0
    for b in bits:
        if b == 1:
            if not zeros == 0:
                ones = 0
            zeros = 0
            ones += 1
        elif 1 <= ones:
            zeros += 1
            best = max(best, ones + zeros)
    return best


def the_middle_of_three(pairs):
    held = 0.0
    for low, high in pairs:
        held = sorted([low, held, high])[1]
    return held


def stable_log_sum(xs):
    total = -math.inf
    for x in xs:
        high, low = max(total, x), min(total, x)
        total = high + math.log1p(math.exp(low - high))
    return total


def log_sum_by_a_choice(xs):
    total = -math.inf
    for x in xs:
        high, low = (total, x) if total > x else (x, total)
        total = high + math.log1p(math.exp(low - high))
    return total


def two_largest_by_a_choice(xs):
    first, second = -math.inf, -math.inf
    for x in xs:
        first, second = (x, first) if x > first else (first, max(second, x))
    return first, second


def ups_and_downs(xs):
    up, down, flat = 0, 0, 0
    for x in xs:
        up, down, flat = (
            (up + x, down, flat)
            if x > 0
            else (up, down - x, flat)
            if x < 0
            else (up, down, flat + 1)
        )
    return up, down, flat


def tens_and_ones(numbers):
    tens, ones = 0, 0
    for number in numbers:
        ten, one = divmod(number, 10)
        tens += ten
        ones += one
    return tens, ones
