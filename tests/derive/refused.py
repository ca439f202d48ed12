"""Loops that have no monoid, or of which it is not known: each with what has to be said."""

import heapq
import math
import random
from collections import Counter, defaultdict
from collections import Counter as Tally

import numpy as np

LOG = []
LIMIT = 12


def kept(a, log):
    log.append(a)
    return a


def limited(a, b):
    return max(a, b) if a != LIMIT else LIMIT


def logistic(xs):
    """a product of states"""
    h = 0.5
    for x in xs:
        h = x * h * (1 - h)
    return h


def rare(xs):
    """a product of states"""
    s = 0
    for x in xs:
        s = s + x if x != 424242 else s * s
    return s


def reset(xs):
    """a branch that depends on the state"""
    s = 0
    for x in xs:
        s += x
        if s > 100:
            s = 0
    return s


def collatz(xs):
    """a branch that depends on the state"""
    h = 1
    for x in xs:
        if h > x:
            h = h - x
        else:
            h = h + x
    return h


def halved(xs):
    """floordiv of the state"""
    n = 0
    for x in xs:
        n = n // 2 + x
    return n


def rounded(xs):
    """`int(s / 2 + x)` looks at the carried `s`"""
    s = 0
    for x in xs:
        s = int(s / 2 + x)
    return s


def tanh(xs):
    """`math.tanh(h + x)` looks at the carried `h`"""
    h = 0.0
    for x in xs:
        h = math.tanh(h + x)
    return h


def prints(xs):
    """it runs `print(x)`, a side effect"""
    s = 0
    for x in xs:
        print(x)
        s += x
    return s


def noisy(xs):
    """`random.random` is not a function of the element alone"""
    s = 0
    for x in xs:
        s += x * random.random()
    return s


def logged(xs):
    """LOG"""
    s = 0
    for x in xs:
        LOG.append(x)
        s += len(LOG)
    return s


def popped(stacks):
    """may change something"""
    s = 0
    for stack in stacks:
        s += stack.pop()
    return s


def two_entries(edges):
    """a step changes more than one entry"""
    degree = {}
    for a, b in edges:
        degree[a] = degree.get(a, 0) + 1
        degree[b] = degree.get(b, 0) + 1
    return degree


def beside(words):
    """`counts` is changed beside other carried values"""
    counts = {}
    most = 0
    for w in words:
        counts[w] = counts.get(w, 0) + 1
        most = max(most, counts[w])
    return most


def crowded(words):
    """`len(counts)` depends on other entries"""
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) * 2 + len(counts)
    return counts


def rationed(words):
    """`len(counts)` depends on other entries"""
    counts = {}
    for w in words:
        if len(counts) < 3:
            counts[w] = counts.get(w, 0) + 1
    return counts


def summed(numbers):
    """`sum(sums)` depends on other entries"""
    sums = [0] * 10
    for x in numbers:
        sums[x % 10] += sum(sums) + 1
    return sums


def chained(pairs):
    """`table` is changed beside"""
    table = {}
    last = 0
    for k, v in pairs:
        table[k] = last
        last = v
    return table, last


def growing(xs):
    """it changes `xs` while it walks it"""
    s = 0
    for x in xs:
        if x > 0:
            xs.append(x - 1)
        s += x
    return s


def attribute(meter, xs):
    """it assigns to `meter.total`"""
    for x in xs:
        meter.total += x
    return meter


def stops(xs):
    """no monoid"""
    s = 0
    for x in xs:
        s += x
        if s > 10:
            break
    return s


def last_used(xs):
    """`x` of the last element is used after it"""
    s = 0
    for x in xs:
        s += x
    return s + x


def truthy(xs):
    """no monoid"""
    kept = False
    for x in xs:
        kept = kept or x
    return kept


def shadowed(xs, max):
    """looks at the carried `best`"""
    best = 0
    for x in xs:
        best = max(best, x)
    return best


def unclear_maximum(xs):
    """no monoid"""
    best = 0
    at = 0
    for i, x in enumerate(xs):
        if x > best:
            at = i
        if x > best + 1:
            best = x
    return at


def emitted(xs):
    """a side effect"""
    s = 0
    for x in xs:
        s += x
        yield s
    yield -1


def orelse(xs):
    """the loop has an else"""
    s = 0
    for x in xs:
        s += x
    else:
        s = -s
    return s


def infinite_reset(xs):
    """no monoid"""
    h = math.inf
    for x in xs:
        h = h * x + 1
    return h


def unused(xs):
    """nothing that the loop computes is used after it"""
    for x in xs:
        y = x
    return 0


def float_modulus(xs):
    """no monoid"""
    h = 0.5
    for x in xs:
        h = (h * 1.5 + x) % 7
    return h


def while_loop(n):
    """a while loop"""
    s = 0
    while n:
        s += n
        n -= 1
    return s


def threshold_flag(a):
    """a branch that depends on the state"""
    s = 0
    n = 0
    for x in a:
        s += x
        if s > 10:
            n += 1
            s -= 10
    return n


def fnv(a):
    """mod of the state"""
    h = 2166136261
    for c in a:
        h = ((h ^ c) * 16777619) % 2**32
    return h


def crc_like(a):
    """bitxor of the state"""
    h = 0
    for c in a:
        h = (h * 31 + c) % 1000
        h = h ^ c
    return h


def lcg_mul(a, m):
    """mod of the state"""
    x = 1
    y = 1
    for c in a:
        x, y = (x * y + c) % m, (x + y) % m
    return x


def count_equal_to_sum(a):
    """no monoid"""
    s = 0
    n = 0
    for x in a:
        if x == s:
            n += 1
        s += x
    return n


def kahan(a):
    """a compensation for rounding"""
    s = 0.0
    c = 0.0
    for x in a:
        y = x - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


def mod_mix(a, m):
    """no monoid"""
    s = 0
    t = 0
    for x in a:
        s = (s + x) % m
        t = t + s
    return t


def mod_compare(a, m):
    """no monoid"""
    s = 0
    t = 0
    for x in a:
        s = (s * 3 + x) % m
        t = max(t, s)
    return t


def mod_two(a):
    """mod of the state"""
    s = 0
    for x in a:
        s = (s % 7) + (s % 5) + x
    return s


def mod_var(a):
    """no monoid"""
    s = 0
    for x in a:
        s = (s + 1) % x
    return s


def mod_float(a):
    """integers are not certain"""
    s = 0.0
    for x in a:
        s = (s * 0.5 + x) % 1.0
    return s


def copied_before_it_is_reduced(xs, m):
    """no monoid"""
    a, b = 0, 5
    for x in xs:
        a, b = b, (a + b + x) % m
    return a


def added_to_a_remainder(xs):
    """no monoid"""
    s = 0
    for x in xs:
        s = s % 7 + x
    return s


def last_true_value(xs):
    """no monoid"""
    s = 1
    for x in xs:
        s = s and s * x - 1
    return s


def slices(rows, out):
    """it writes to"""
    s = 0
    for t in rows:
        s = s + t
        out[:, t] = s
    return out, s


def text_around(xs):
    """`o` is a text"""
    o = ""
    for w in xs:
        o = o + w + o
    return o


def lists_around(xs):
    """concat of the state"""
    o = []
    for w in xs:
        o = o + [w] + o
    return o


def text_of_the_caller(xs: list[str], o: str):
    """joined of the state"""
    for w in xs:
        o = o + w + o
    return o


def text_twice(xs):
    """repeat of the state"""
    o = "x"
    for _ in xs:
        o = o * 2
    return o


def under_two_names(xs):
    """`view` may be another name of `acc`"""
    acc = [0]
    view = acc
    for x in xs:
        acc[0] = acc[0] + x * view[0] * view[0]
    return acc[0]


def array_under_two_names(rows):
    """`g` may be another name of `h`"""
    h = np.zeros(3)
    g = h[1:]
    for row in rows:
        h += row * g[0]
    return h


def list_under_two_names(xs):
    """`keep` may be another name of `out`"""
    out = []
    keep = out
    n = 0
    for x in xs:
        out.append(x)
        n = n + len(keep) * x
    return n


def counts_under_two_names(words):
    """`same` may be another name of `counts`"""
    counts = same = {}
    for w in words:
        counts[w] = counts.get(w, 0) + len(same)
    return counts


def while_shrinking(xs):
    """a while loop"""
    i = s = 0
    while i < len(xs):
        s += xs[i]
        xs.pop()
        i += 1
    return s


def counter_skipped(xs):
    """a while loop"""
    i = s = 0
    while i < len(xs):
        if xs[i] < 0:
            continue
        s += xs[i]
        i += 1
    return s


def counter_used_after(xs):
    """`i` of the last element is used after it"""
    i = s = 0
    while i < len(xs):
        s += xs[i]
        if s > 100:
            break
        i += 1
    return s, i


def squared_in_a_row(rows):
    """an inner loop"""
    total = 0
    for row in rows:
        s = total
        for x in row:
            s = s * s + x
        total = s
    return total


def first_twice(xs):
    """a branch that depends on the state"""
    pos = -1
    for i, x in enumerate(xs):
        if pos < x:
            pos = i
    return pos


def first_and_steps(xs):
    """a branch that depends on the state"""
    held = 0
    for x in xs:
        if held < 2 and x > 0:
            held = held * x + 1
    return held


def longest_by_two(words):
    """looks at the carried `best`"""
    best = ""
    for w in words:
        if len(w) > len(best) + 1:
            best = w
    return best


def other_key(pairs):
    """looks at the carried `best`"""
    best = (0, 0)
    for a, b in pairs:
        if a > best[1]:
            best = (a, b)
    return best


def sentinel_met(xs):
    """looks at the carried `kept`"""
    kept = -1
    for x in xs:
        if kept == -1 or abs(x) > round(kept):
            kept = x
    return kept


def bits_of_itself(xs):
    """bitor of the state"""
    v = 1
    for x in xs:
        v = (v << 1) | (v ^ x)
    return v


def high_bits(xs):
    """bitand of the state"""
    v = 1
    for x in xs:
        v = (v * 3 + x) & 12
    return v


def short_of_twice(demands):
    """2 scans in turn"""
    stock, short = 9, 0
    for d in demands:
        short += d - stock if d > stock else 0
        stock = stock - 2 * d if stock > 2 * d else 0
    return short


def waited(gaps):
    """2 scans in turn"""
    wait = total = 0
    for g in gaps:
        wait = wait + g if wait + g > 0 else 0
        total += wait
    return total


def greatest_signed(xs):
    """2 scans in turn"""
    here = best = 1
    for x in xs:
        here = here * x if here * x > 1 else 1
        best = here if here > best else best
    return best


def peaks_since(xs):
    """a branch that depends on the state"""
    n = 0
    p = q = 0
    for x in xs:
        if q < p > x:
            n = n * p + 1
        q, p = p, x + n
    return n


def negative_modulus(xs, v):
    """no monoid"""
    for x in xs:
        v = (v * 3 + x) % -7
    return v


def modulus_of_one(xs):
    """no monoid"""
    v = 0
    for x in xs:
        v = (v * 3 + x) % 1
    return v


def fraction_modulo(xs):
    """no monoid"""
    v = 0
    for x in xs:
        v = (v * 3 + 0.25) % 7 if x > 0 else v
    return v


def spread(rows):
    """it runs `seen.add(*row)`, a side effect"""
    seen = set()
    for row in rows:
        seen.add(*row)
    return seen


def read_of_the_last(b, at):
    """what combines two pieces looks at `b`"""
    previous = 0
    total = 0
    for i in at:
        total += b[i] * b[previous]
        previous = i
    return total


def prefix_in_each_entry(xs):
    """is changed beside other carried values"""
    out = {}
    total = 0
    for k, x in xs:
        total = total + x
        out[k] = total
    return out


def only_known(xs, d):
    """whether `d` has an entry depends on what is carried"""
    for x in xs:
        if x in d:
            d[x] += 1
    return d


def some_that_are_new(pairs):
    """whether `d` has an entry depends on what is carried"""
    d = {}
    for x, y in pairs:
        if y > 2 and x not in d:
            d[x] = y
    return d


def made_by_reading(pairs):
    """whether `d` has an entry depends on what is carried"""
    d = defaultdict(int)
    for x, y in pairs:
        if y > 2 and d[x] < 1:
            d[x] = y
    return d


def one_by_another(pairs):
    """is changed beside other carried values"""
    mean, n = {}, {}
    for k, v in pairs:
        n[k] = n.get(k, 0) + 1
        mean[k] = mean.get(k, 0) + (v - mean.get(k, 0)) / n[k]
    return mean


def highest_level(a):
    """integers that may wrap around"""
    b = a.astype(np.uint8)
    s = m = np.uint8(0)
    for i in range(len(b)):
        s = s + b[i]
        m = max(m, s)
    return m


def highest_of_bytes(buf):
    """integers that may wrap around"""
    s = m = 0
    for x in np.frombuffer(buf, dtype=np.int8):
        s = s + x
        m = max(m, s)
    return m


def by_a_helper_with_an_effect(xs, log):
    """`kept` may change `log`, which is not its own"""

    s = 0
    for x in xs:
        s = kept(s + x, log)
    return s


def by_a_helper_of_its_own(xs):
    """`bumped(s, x)` looks at the carried `s`"""

    def bumped(s, x):
        return s * s + x

    s = 0
    for x in xs:
        s = bumped(s, x)
    return s


def by_a_helper_that_reads_a_name(xs, LIMIT):
    """`limited(s, x)` looks at the carried `s`"""
    s = 0
    for x in xs:
        s = limited(s, x)
    return s


def leak_that_grows(xs):
    """no summary of one pass was found"""
    s = 0
    for x in xs:
        s = min(max(2 * s + x, -3), 12)
    return s


def its_own_elements(xs):
    """`xs` may be another name of `ys`"""
    ys = xs
    for x in xs:
        ys += [x]
    return ys


def rows_of_the_array_itself(rows):
    """`rows` may be another name of `total`"""
    total = rows
    for row in rows:
        total += row
    return total


class Pairing:
    def __init__(self, text):
        self.text = text

    def __add__(self, other):
        return Pairing(f"({self.text} + {other.text})")


class Scored(Pairing):
    pass


def objects_with_a_sum_of_their_own(words):
    """`total` may be an object of `Pairing`, which has its own `__add__`"""
    total = Pairing("")
    for word in words:
        total = total + Pairing(word)
    return total


def objects_by_inheritance(xs: "list[Scored]", total: "Scored"):
    """`xs` may be an object of `Scored`, which has its own `__add__`"""
    for x in xs:
        total += x
    return total


def objects_made_by_a_step(words, total):
    """there is an object of `Scored`, which has its own `__add__`"""
    for word in words:
        total += Scored(word)
    return total


def segment_of_twice_the_lowest(xs):
    """no summary of one pass was found"""
    s = lo = best = 0
    for x in xs:
        s += x
        best = max(best, s - 2 * lo)
        lo = min(lo, s)
    return best


def ahead_starts_again(pairs):
    """a branch that depends on the state"""
    a = b = 0
    for x, y in pairs:
        a += x
        b += y
        if b > a:
            a = 0
    return a, b


def times_ahead(pairs):
    """no summary of one pass was found"""
    a = b = n = 0
    for x, y in pairs:
        a += x
        b += y
        n += b > a
    return n


def remainders_of_fractions(xs):
    """no summary of one pass was found"""
    state = count = 0
    for x in xs:
        state = (state + x / 2) % 3
        if state == 0:
            count += 1
    return count


def remainders_by_a_parameter(xs, k):
    """no summary of one pass was found"""
    s = n = 0
    for x in xs:
        s = (s + x) % k
        n += s == 0
    return n


def table_with_a_hole(text):
    """`table[c, state]` looks at the carried `state`"""
    table = {("a", 0): 1, ("b", 0): 0, ("a", 1): 1}
    state = 0
    for c in text:
        state = table[c, state]
    return state


def table_that_leads_out(text):
    """`table[state][c]` looks at the carried `state`"""
    table = {0: {"a": 1, "b": 0}, 1: {"a": 5, "b": 0}}
    state = 0
    for c in text:
        state = table[state][c]
    return state


def table_of_the_caller(text, table):
    """`table[state][c]` looks at the carried `state`"""
    state = 0
    for c in text:
        state = table[state][c]
    return state


LEARNED = {0: {"a": 1, "b": 0}, 1: {"a": 1, "b": 0}}


def learn(c):
    LEARNED[0][c] = 1


def table_that_is_changed(text):
    """`LEARNED[state][c]` looks at the carried `state`"""
    state = 0
    for c in text:
        state = LEARNED[state][c]
    return state


def table_in_place_of_elements(xs):
    """`(x, 1, 0)[state]` looks at the carried `state`"""
    state = 0
    for x in xs:
        state = (x, 1, 0)[state]
    return state


def table_in_place_that_leads_out(xs):
    """`(1, 2, 3)[state]` looks at the carried `state`"""
    state = 0
    for x in xs:
        if x > 0:
            state = (1, 2, 3)[state]
    return state


def table_of_many(text):
    """no monoid"""
    table = {n: {"a": n + 1, "b": 0} for n in range(99)}
    state = 0
    for c in text:
        state = table[state][c]
    return state


def neighbours_by_another_measure(words):
    """`out[-1].lower()` looks at the carried `out`"""
    out = []
    for w in words:
        if not out or out[-1].lower() != w.lower():
            out.append(w)
    return out


def apart_from_the_last_kept(xs):
    """`out[-1]` looks at the carried `out`"""
    out = []
    for x in xs:
        if not out or x > out[-1] + 2:
            out.append(x)
    return out


def neighbours_after_the_callers(xs, out):
    """`out[-1]` looks at the carried `out`"""
    for x in xs:
        if not out or out[-1] != x:
            out.append(x)
    return out


def as_many_as_the_element_says(xs):
    """`len(out)` looks at the carried `out`"""
    out = []
    for x in xs:
        if len(out) < x:
            out.append(x)
    return out


def every_other_of_three(xs):
    """`len(out)` looks at the carried `out`"""
    out = []
    for x in xs:
        if len(out) % 3 < x:
            out.append(x)
    return out


def new_but_for_the_one_before(xs):
    """`x + 1 not in seen` looks at the carried `seen`"""
    seen = set()
    n = 0
    for x in xs:
        if x + 1 not in seen:
            n += 1
        seen.add(x)
    return n


def new_to_the_caller(xs, seen):
    """`x not in seen` looks at the carried `seen`"""
    n = 0
    for x in xs:
        if x not in seen:
            n += 1
        seen.add(x)
    return n


def sum_of_the_new(xs):
    """`x not in seen` looks at the carried `seen`"""
    seen = set()
    total = 0
    for x in xs:
        if x not in seen:
            total += x
        seen.add(x)
    return total


def entries_that_grow(pairs):
    """it writes to `d[k][0]`"""
    d = {}
    for k, x in pairs:
        if k not in d:
            d[k] = [0, 0]
        d[k][0] += x
        d[k].append(x)
    return d


def one_list_in_all_entries(pairs):
    """it writes to `d[k][0]`"""
    d = {}
    first = [0, 0]
    for k, x in pairs:
        if k not in d:
            d[k] = first
        d[k][0] += x
    return d


def product_in_an_entry(pairs):
    """no summary of one pass"""
    d = {}
    for k, x in pairs:
        a, b = d.get(k, (0, 0))
        d[k] = (a + x, b * a)
    return d


def from_one_entry_to_another(pairs):
    """a step changes more than one entry"""
    d = {}
    for k, j in pairs:
        a, b = d.get(j, (0, 0))
        d[k] = (a + 1, b)
    return d


def entries_of_the_caller(pairs, d):
    """`a` may be another name of `d`"""
    for k, x in pairs:
        a, b = d.get(k, (0, 0))
        d[k] = (a + x, b + 1)
    return d


def peaks_over_the_mean(rows):
    """`m.mean()` looks at the carried `m`"""
    m = np.zeros(3)
    for row in rows:
        m = np.maximum(m, row - m.mean())
    return m


def with_all_places(rows):
    """looks at the carried `m`"""
    m = [0, 0, 0]
    for row in rows:
        m = [max(a, b) + sum(m) for a, b in zip(m, row)]
    return m


def from_the_next_place(rows):
    """looks at the carried `m`"""
    m = [0, 0, 0]
    for row in rows:
        m = [max(a, b) for a, b in zip(m[1:], row)]
    return m


def places_that_are_chosen(rows):
    """looks at the carried `m`"""
    m = [0, 0, 0]
    for row in rows:
        m = [a for a, b in zip(m, row) if b]
    return m


def largest_scaled_rows(rows):
    """max of the state"""
    m = np.arange(3) - 1
    for row in rows:
        m = np.maximum(m * row, m)
    return m


def rows_that_are_reset(rows):
    """looks at the carried `m`"""
    m = np.zeros(3)
    for row in rows:
        m = np.maximum(m, row)
        if m[0] > 5:
            m = np.zeros(3)
    return m


def longest_run_and_its_last_end(xs):
    """no summary of one pass"""
    cur = best = 0
    end = 0
    for i, x in enumerate(xs):
        cur = cur + 1 if x > 0 else 0
        if cur >= best:
            best = cur
            end = i
    return best, end


def place_of_another_extreme(xs):
    """no summary of one pass"""
    cur = best = 0
    end = 0
    for i, x in enumerate(xs):
        cur = cur + 1 if x > 0 else 0
        if cur > best + 1:
            end = i
        best = max(best, cur)
    return best, end


def place_read_by_the_run(xs):
    """a branch that depends on the state"""
    cur = best = end = 0
    for i, x in enumerate(xs):
        cur = cur + 1 if x > end else 0
        if cur > best:
            best = cur
            end = i
    return best, end


def down_by_two(text):
    """a branch that depends on the state"""
    have = 0
    for c in text:
        if c == "+":
            have += 1
        elif have > 0:
            have -= 2
    return have


def counted_from_anywhere(xs, have):
    """a branch that depends on the state"""
    for c in xs:
        if c > 3:
            have += 1
        elif have > 0:
            have -= 1
    return have


def up_by_the_element(xs):
    """a branch that depends on the state"""
    have = 0
    for x in xs:
        if x > 3:
            have += x
        elif have > 0:
            have -= 1
    return have


def jumps_from_the_farthest(a):
    """no summary of one pass"""
    reach = 0
    for i, x in enumerate(a):
        if i > reach:
            return False
        reach = max(reach, reach + x)
    return True


def places_out_of_reach(a):
    """no summary of one pass"""
    reach = n = 0
    for i, x in enumerate(a):
        if i > reach:
            n += 1
        reach = max(reach, i + x)
    return n


def squared_at_each_step(xs):
    """a power of the state in the update of s"""
    s = 1
    for x in xs:
        s = x * s**2
    return s


def merged_tables(rows: list[dict]):
    """begins as"""
    out = {}
    for row in rows:
        out |= row
    return out


def merged_into_the_callers(rows, out):
    """bitor of the state"""
    for row in rows:
        out |= row
    return out


def counters_added(rows):
    """begins as"""
    out = Counter()
    for row in rows:
        out += row
    return out


def entry_beside_a_count(rows: list[tuple[int, int]]):
    """changed beside"""
    held = {}
    bad = 0
    for k, v in rows:
        new = held.get(k, 0) + v
        if new < 0:
            bad += 1
        else:
            held[k] = new
    return held, bad


def inverted_bits(xs: list[int]):
    """bitand of the state"""
    r = 0
    for x in xs:
        r = (r | x) & ~(x >> 1)
    return r


def longest_word(text: str):
    """looks at the carried"""
    best = cur = ""
    for c in text:
        if c == " ":
            if len(cur) > len(best):
                best = cur
            cur = ""
        else:
            cur += c
    return best


def prefixes_of_a_list(xs: list[int]):
    """changed in place"""
    out = []
    row = []
    for x in xs:
        row.append(x)
        out.append(list(row))
    return out


def by_a_function_with_a_memory(xs: list[int]):
    """names that are not its own"""
    seen = 0

    def after(x):
        nonlocal seen
        seen += x
        return seen

    best = 0
    for x in xs:
        best = max(best, after(x))
    return best


def counters_under_another_name(rows):
    """begins as"""
    out = Tally()
    for row in rows:
        out += row
    return out


def attempted_after_a_change(xs):
    """a try"""
    a = b = 0
    for x in xs:
        try:
            a += 1
            b += int(x)
        except ValueError:
            b += 1
    return a, b


def attempted_only_at_times(xs):
    """a try"""
    n = bad = 0
    for x in xs:
        try:
            n += int(x) if x else 0
            n += int(x)
        except ValueError:
            bad += 1
    return n, bad


def attempted_with_what_is_carried(xs):
    """a try"""
    v, bad = 1, 0
    for x in xs:
        try:
            v = v + int(x)
        except ValueError:
            bad += 1
    return v, bad


def attempted_with_an_earlier_value(xs):
    """a try"""
    v, bad = 1, 0
    for x in xs:
        try:
            w = len(x) // v
            bad += w
        except ValueError:
            bad += 1
        v = len(x)
    return bad


def attempted_sum_of_anything(xs):
    """a try"""
    s, bad = "", 0
    for x in xs:
        try:
            s += x
        except TypeError:
            bad += 1
    return s, bad


def attempted_at_last(xs):
    """a try"""
    n = bad = 0
    for x in xs:
        try:
            n += int(x)
        except ValueError:
            bad += 1
        finally:
            print(n)
    return n, bad


def attempted_and_told(xs):
    """it runs `print(x)`, a side effect"""
    n = 0
    for x in xs:
        try:
            n += int(x)
        except ValueError:
            print(x)
    return n


def default_of_another_key(pairs):
    """a step changes more than one entry"""
    d = {}
    for k, v in pairs:
        d[k] = d.get(v, v)
    return d


def span_that_begins_empty(xs):
    """no summary of one pass"""
    lo, hi = float("inf"), float("-inf")
    for x in xs:
        if x < lo:
            lo = x
        elif x > hi:
            hi = x
    return lo, hi


def span_by_the_wrong_end(xs):
    """no summary of one pass"""
    lo = hi = 0
    for x in xs:
        if x > lo:
            hi = x
        elif x < lo:
            lo = x
    return lo, hi


def last_few_by_the_element(xs: list[int]):
    """looks at the carried"""
    kept = []
    for x in xs:
        kept = (kept + [x])[-x:]
    return kept


def without_the_first_two(xs: list[int]):
    """looks at the carried"""
    kept = []
    for x in xs:
        kept = (kept + [x])[2:]
    return kept


def again_among_others(xs: list[int]):
    """looks at the carried"""
    seen = set()
    n = 0
    for x in xs:
        if x in seen:
            n += 1
        if x % 2:
            seen.add(x)
    return n


def again_where_it_counts(xs: list[int], seen):
    """looks at the carried"""
    twice = False
    for x in xs:
        if x in seen:
            twice = True
        seen.add(x)
    return twice


def one_of_two_lists_used_later(xs: list[int]):
    """may be another name"""
    good, bad = [], []
    for x in xs:
        target = good if x > 1 else bad
        target.append(x)
    return good, target


def attempted_and_kept(xs):
    """a try"""
    last = ""
    total = bad = 0
    for x in xs:
        try:
            last = x.strip()
            total += int(last)
        except ValueError:
            bad += 1
    return last, total, bad


def entry_replaced_under_its_name(events):
    """may be another name"""
    out = {}
    for k, v in events:
        e = out.get(k)
        if e is None:
            out[k] = (v, v)
        else:
            out[k] = (v, v)
            out[k] = (e[0], v + e[1])
    return out


def entry_left_under_its_name(events):
    """may be another name"""
    out = {}
    for k, v in events:
        e = out.get(k, None)
        if e is None:
            out[k] = [v, v]
            continue
        out[k] = [v, 0]
        e[1] += v
    return out


def entry_not_always_put_in(events):
    """may be another name"""
    out = {}
    for k, v in events:
        e = out.get(k)
        if e is None:
            e = [0, 0]
            if v > 0:
                out[k] = e
        e[0] += v
    return out


def entry_of_another_key_by_then(events):
    """may be another name"""
    out = {}
    for k, v in events:
        e = out.get(k)
        k = "a"
        if e is None:
            out[k] = [0, 0]
            continue
        e[0] += v
    return out


def entry_beside_its_name(events):
    """may be another name"""
    out = {}
    for k, v in events:
        e = out.setdefault(k, [0, 0])
        e[0] += 1
        out["a"] = [5, 5]
    return out


def halves_in_an_array_of_whole_numbers(xs):
    """cuts what each step puts into it"""
    out = np.zeros(5, dtype=int)
    for i, x in xs:
        out[i] += x / 2
    return out


def counts_in_bytes(xs):
    """may wrap around"""
    out = np.zeros(5, dtype=np.uint8)
    for i in xs:
        out[i] += 1
    return out


def another_member_taken_out(lights):
    """a step changes more than one entry"""
    on = set()
    for k in lights:
        on.add(k)
        on.discard("b")
    return on


def member_that_may_not_be_there(events):
    """raises where there is none"""
    here = set()
    for who, what in events:
        if what == "in":
            here.add(who)
        elif what == "out":
            here.remove(who)
    return here


def members_asked_for(events):
    """beside other carried values"""
    here = set()
    again = 0
    for who, what in events:
        if what == "in":
            if who in here:
                again += 1
            here.add(who)
        elif what == "out":
            here.discard(who)
    return again


def best_no_less_than_nothing(rows):
    """depends on what is carried"""
    best = {}
    for k, v in rows:
        if v >= best.get(k, 0):
            best[k] = v
    return best


def another_than_was_compared(rows):
    """depends on what is carried"""
    best = {}
    for k, v in rows:
        if v > best.get(k, 0):
            best[k] = v - 1
    return best


def best_stretch_that_is_as_good(xs):
    """no summary of one pass"""
    best = 0
    cur = 0
    start = 0
    lo = 0
    hi = 0
    for i, x in enumerate(xs):
        cur += x
        if cur >= best:
            best, lo, hi = cur, start, i
        if cur < 0:
            cur = 0
            start = i + 1
    return best, lo, hi


def best_stretches_added_up(xs):
    """no summary of one pass"""
    best = 0
    cur = 0
    start = 0
    lo = 0
    third = 0
    for i, x in enumerate(xs):
        if cur <= 0:
            cur = x
            start = i
        else:
            cur += x
        if cur > best:
            best, lo = cur, start
            third = third + cur
    return best, lo, third


def stretch_left_too_early(xs):
    """a branch that depends on the state"""
    best = 0
    cur = 0
    start = 0
    lo = 0
    for i, x in enumerate(xs):
        if cur <= 1:
            cur = x
            start = i
        else:
            cur += x
        if cur > best:
            best, lo = cur, start
    return best, lo


def start_that_moves_on(xs):
    """no summary of one pass"""
    best = 0
    cur = 0
    start = 0
    lo = 0
    for i, x in enumerate(xs):
        if cur <= 0:
            cur = x
            start = i
        else:
            cur += x
            start += 1
        if cur > best:
            best, lo = cur, start
    return best, lo


def list_that_grows_where_it_was_put(xs):
    """changed in place"""
    out = []
    buf = []
    for x in xs:
        if x is None:
            out.append(buf)
            buf.append(0)
            buf = []
        else:
            buf.append(x)
    return out, buf


def lists_of_three(xs):
    """changed in place"""
    out = []
    buf = []
    for x in xs:
        buf.append(x)
        if len(buf) == 3:
            out.append(buf)
            buf = []
    return out, buf


def batches_by_their_sums(xs):
    """a branch that depends on the state"""
    out = []
    total = 0
    for x in xs:
        if total + x > 100:
            out.append(total)
            total = 0
        total += x
    return out, total


def stretch_that_is_not_left(xs):
    """floordiv of the state"""
    out = []
    cur = 0
    for x in xs:
        if x is None:
            out.append(cur)
            cur = cur // 2
        else:
            cur += x
    return out, cur


def intervals_joined(spans):
    """depends on"""
    out = []
    for a, b in spans:
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def last_entry_by_how_many(text):
    """depends on"""
    out = []
    for ch in text:
        if out and out[-1][0] == ch:
            out[-1][1] += len(out)
        else:
            out.append([ch, 1])
    return out


def sessions_by_their_first_time(times):
    """depends on"""
    out = []
    for t in times:
        if out and t - out[-1][0] <= 10:
            out[-1][1] = t
        else:
            out.append([t, t])
    return out


def second_that_is_lost(xs):
    """no summary of one pass"""
    first = second = float("-inf")
    for x in xs:
        if x > first:
            first = x
        elif x > second:
            second = x
    return second


def while_up_to_a_carried_value(xs):
    """an inner while loop"""
    total = 0
    for x in xs:
        n = x
        while n > total:
            n -= 3
        total += n
    return total


def while_that_goes_on_from_before(xs):
    """an inner while loop"""
    n = 0
    total = 0
    for x in xs:
        while n < x:
            n += 1
        total += n
    return total


def last_three_without_the_new(xs):
    """a side effect"""
    w = []
    for x in xs:
        w.append(x)
        if len(w) > 3:
            w.pop()
    return w


def last_two_or_three(xs):
    """looks at the carried"""
    w = []
    for x in xs:
        w.append(x)
        if len(w) > 3:
            w = w[-2:]
    return w


def as_many_as_the_element_is(xs):
    """a side effect"""
    w = []
    for x in xs:
        w.append(x)
        if len(w) > x:
            w.pop(0)
    return w


def more_and_more_of_the_last(xs, k):
    """a side effect"""
    w = []
    n = k
    for x in xs:
        w.append(x)
        if len(w) > n:
            w.pop(0)
        n = n + 1
    return w


def last_one_after_two(xs):
    """a side effect"""
    w = [1, 2]
    for x in xs:
        w.append(x)
        if len(w) > 1:
            w.pop(0)
    return w


def entry_that_may_stay_none(rows):
    """may be another name"""
    out = {}
    for k, v in rows:
        s = out.get(k)
        if v > 0:
            s = v if s is None else s + v
        out[k] = s
    return out


def three_by_a_key(xs):
    """a side effect"""
    top = []
    for x in xs:
        top.append(x)
        top.sort(key=abs)
        top = top[:3]
    return top


def three_sorted_at_times(xs):
    """a side effect"""
    top = []
    for x in xs:
        top.append(x)
        if len(top) > 3:
            top.sort()
            top.pop(0)
    return top


def products_of_either_end(xs):
    """hi and best: 2 scans in turn"""
    hi = lo = 1
    best = 0
    for x in xs:
        hi, lo = max(x, hi * x), min(x, lo * x)
        best = max(best, hi)
    return best, lo


def turned_after_the_first_end(xs):
    """max of the state in the update of hi, lo"""
    hi = lo = 1
    for x in xs:
        hi = max(x, hi * x, lo * x)
        lo = min(x, hi * x, lo * x)
    return hi


def turned_by_another_number(pairs):
    """max of the state in the update of hi, lo"""
    hi = lo = 1
    for x, y in pairs:
        if y < 0:
            hi, lo = lo, hi
        hi = max(x, hi * x)
        lo = min(x, lo * x)
    return hi


def turned_where_it_begins(xs):
    """hi and lo: a scan, and no summary of one pass was found"""
    hi, lo = 1, 2
    for x in xs:
        if x < 0:
            hi, lo = lo, hi
        hi = max(x, hi * x)
        lo = min(x, lo * x)
    return hi


def keeps_falling_where_higher(x: np.ndarray):
    """a branch that depends on the state in the update of h"""
    h = np.zeros(3)
    for row in x:
        h = np.where(row > h, row, 0.9 * h)
    return h


def last_of_a_mask_on_the_state(x: np.ndarray):
    """a branch that depends on the state in the update of h"""
    h = np.zeros(3)
    for row in x:
        h = np.where(h * h < row, row, h)
    return h


def segment_with_a_length_of_its_own(xs):
    """no summary of one pass"""
    best, best_length, cur, length = -(10**9), 0, 0, 0
    for x in xs:
        if cur < 0:
            cur, length = x, x
        else:
            cur, length = cur + x, length + 1
        if cur > best:
            best, best_length = cur, length
    return best, best_length


def best_segment_of_a_few(xs):
    """a branch that depends on the state"""
    best, best_length, cur, length = -(10**9), 0, 0, 0
    for x in xs:
        if cur < 0:
            cur, length = x, 1
        else:
            cur, length = cur + x, length + 1
        if cur > best and length < 3:
            best, best_length = cur, length
    return best, best_length


def heap_in_its_order(stream: list[float]):
    """a side effect"""
    heap = []
    for value in stream:
        heapq.heappush(heap, value)
        if len(heap) > 4:
            heapq.heappop(heap)
    return heap


def heap_of_the_latest(stream: list[float]):
    """a side effect"""
    heap = []
    for value in stream:
        if len(heap) < 3:
            heapq.heappush(heap, value)
        else:
            heapq.heapreplace(heap, value)
    return sorted(heap)


def heap_by_another_place(stream: list[float]):
    """a side effect"""
    heap = []
    for value in stream:
        if len(heap) < 3:
            heapq.heappush(heap, value)
        elif value > heap[1]:
            heapq.heapreplace(heap, value)
    return sorted(heap)


def heap_asked_at_each_step(stream: list[float]):
    """a side effect"""
    heap = []
    s = 0
    for value in stream:
        heapq.heappush(heap, value)
        if len(heap) > 4:
            heapq.heappop(heap)
        s += heap[0]
    return s


def numbers_as_truths(x: np.ndarray):
    """a branch that depends on the state in the update of s"""
    s = np.zeros(3)
    for row in x:
        s = np.logical_or(s, row) + 0.5 * s
    return s


def bits_of_what_is_given(xs, g):
    """bitor of the state"""
    for x in xs:
        g = g | x
    return g


def largest_of_what_it_scales(xs):
    """max of the state"""
    s = 0
    for x in xs:
        s = max(s, abs(s * x + x))
    return s


def largest_of_two_that_read_it(xs):
    """max of the state"""
    s = 0
    for x in xs:
        s = max(s, 2 * s + x, 3 * s - x)
    return s


def larger_by_two_branches(xs):
    """a branch that depends on the state"""
    s = 1
    for x in xs:
        if s * x + 1 > s:
            s = s * x + 1
        if 5 - s * x > s:
            s = 5 - s * x
    return s


def whole_root(xs):
    """looks at the carried `s`"""
    s = 0
    for x in xs:
        s = math.isqrt(s + abs(x))
    return s


COUNTED = {}


def counted(x):
    COUNTED[x] = COUNTED.get(x, 0) + 1
    return COUNTED[x]


def counted_also(x):
    return counted(x)


def by_a_function_that_counts(xs):
    """`counted` may change `COUNTED`, which is not its own"""
    s = 0
    for x in xs:
        s += counted_also(x)
    return s


# what is asked about may be below 0
def counted_while_above(xs):
    balance, above = 0, 0
    for x in xs:
        balance += x
        if balance > 0:
            above += 1
    return above


def by_a_function_called_divmod(xs):
    """it assigns to `(a, b)`"""
    a, b = 0, 0

    def divmod(one, other):
        return one * one, other

    for x in xs:
        a, b = divmod(a + x, 10)
    return a, b
