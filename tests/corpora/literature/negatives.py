"""Loops that are not associative, or whose truth hides where sampling does not look."""

import math
from collections import deque

import numpy as np
import torch


# nonlinear: fails
def logistic_map(xs):
    s = 0.1
    for x in xs:
        s = x * s * (1 - s)
    return s


def square_and_add(xs):
    s = 0.0
    for x in xs:
        s = s * s + x
    return s


def tanh_cell(xs):
    h = 0.0
    for x in xs:
        h = math.tanh(0.5 * h + x)
    return h


def tensor_cell(a, w):
    h = torch.zeros(a.shape[1])
    for t in range(a.shape[0]):
        h = torch.tanh(w @ h + a[t])
    return h


def newton(xs):
    r = 1.0
    for x in xs:
        r = 0.5 * (r + x / r)
    return r


def root_of_sum(xs):
    s = 0.0
    for x in xs:
        s = math.sqrt(s + x * x + 1.0)
    return s


def sine(xs):
    s = 0.0
    for x in xs:
        s = math.sin(s) + x
    return s


def product_of_states(xs):
    a, b = 1.0, 1.0
    for x in xs:
        a, b = a * b, b + x * a
    return a


def cubic(a):
    s = 0.5
    for i in range(len(a)):
        s = s - a[i] * s**3
    return s


def sigmoid_gate(a):
    h = 0.0
    for i in range(len(a)):
        g = 1.0 / (1.0 + np.exp(-(h + a[i])))
        h = g * h + (1 - g) * a[i]
    return h


def normalised(a):
    h = np.ones(3)
    for i in range(a.shape[0]):
        h = h * a[i]
        h = h / h.sum()
    return h.max() * h


def power_of_state(xs):
    s = 1.5
    for x in xs:
        s = 2.0**s - x
    return s


def absolute_walk(xs):
    s = 0.0
    for x in xs:
        s = abs(s * x - 1) * abs(s - x)
    return s


# control: fails
def collatz(xs):
    n = 27
    for x in xs:
        n = n // 2 if n % 2 == 0 else 3 * n + x
    return n


def reset_when_full(xs):
    s = 0.0
    for x in xs:
        s += x
        if s > 10.0:
            s = 0.0
    return s


def reset_counts(xs, limit):
    s, resets = 0.0, 0
    for x in xs:
        s += x
        if s > limit:
            s = 0.0
            resets += 1
    return resets


def stop_when_full(xs):
    s = 0.0
    for x in xs:
        if s < 10.0:
            s += x
    return s


def greedy_packing(sizes, capacity):
    bins, free = 0, 0
    for x in sizes:
        if x > free:
            bins += 1
            free = capacity
        free -= x
    return bins


def hysteresis(xs):
    level, on = 0.0, False
    for x in xs:
        level += x if not on else -x
        on = level > 1.0
    return level


def adaptive_step(errors):
    h = 1.0
    for e in errors:
        if e > h:
            h = h / 2
        else:
            h = h * 1.5
    return h


def majority_vote(xs):
    candidate, count = 0, 0
    for x in xs:
        if count == 0:
            candidate = x
            count = 1
        elif x == candidate:
            count += 1
        else:
            count -= 1
    return candidate


def random_walk_sign(xs):
    s = 0.0
    for x in xs:
        s = s + x if s > 0 else s - x
    return s


def perceptron(xs, ys):
    w = 0.0
    for x, y in zip(xs, ys):
        if y * w * x <= 0:
            w += y * x
    return w


def sign_descent(xs):
    w = 0.0
    for x in xs:
        w = w - 0.1 if w > x else w + 0.1
    return w


def distance_greedy(xs):
    """Takes an element only where it is far from the one taken last."""
    last, count = -100.0, 0
    for x in xs:
        if x - last > 1.0:
            last = x
            count += 1
    return count


def activity_selection(starts, ends):
    free, count = 0.0, 0
    for i in range(len(starts)):
        if starts[i] >= free:
            count += 1
            free = ends[i]
    return count


def state_equals(xs):
    s = 0
    for x in xs:
        s = s + x if s != x else 0
    return s


def toggled_at(xs):
    s = 0
    for x in xs:
        s += x
        if s == 7:
            s = 100
    return s


# rare: fails
def rare_value(xs):
    s = 0
    for x in xs:
        s = s + x if x != 424242 else s * s
    return s


def rare_state(xs):
    s = 0
    for x in xs:
        s = s + x
        if s == 123456789:
            s = 0
    return s


def rare_index(a):
    s = 1.0
    for i in range(len(a)):
        if i == 100000:
            s = s * s
        else:
            s = s + a[i]
    return s


def rare_large(xs):
    s = 0.0
    for x in xs:
        s = s + x
        if s > 1e12:
            s = s - 1e12
    return s


def rare_small(xs):
    s = 0.0
    for x in xs:
        s = max(s, x)
        if s < -1e9:
            s = x * 2
    return s


def rare_product(xs):
    s = 1.0
    for x in xs:
        s = s * x if abs(x) < 1e6 else math.exp(s)
    return s


def rare_modulus(xs):
    s = 0
    for x in xs:
        s = (s + x) % 1000003
        if s == 1000002:
            s = 5
    return s


def rare_threshold(a):
    count = 0
    for i in range(len(a)):
        count += 1 if a[i] > 0.5 else 0
        if count > 65535:
            count = 65535 - a[i]
    return count


def rare_conjunction(a, b):
    s = 0.0
    for i in range(len(a)):
        if a[i] == 31337 and b[i] == 271828:
            s = s * s + 1
        else:
            s += a[i] * b[i]
    return s


# integers: fails
def halved(xs):
    s = 0
    for x in xs:
        s = (s + x) // 2 + s // 3
    return s


def truncated(xs):
    s = 0
    for x in xs:
        s = int(s * 0.9) + x
    return s


def rounded(xs):
    s = 0.0
    for x in xs:
        s = round(s * 0.5 + x)
    return s


def floor_decay(a):
    s = np.int64(100)
    for i in range(len(a)):
        s = s * 9 // 10 + a[i]
    return s


def modulus_of_state(xs):
    s = 1000
    for x in xs:
        s = x % (s + 1)
    return s


def modulus_float(xs):
    s = 0.0
    for x in xs:
        s = (1.5 * s + x) % 1.0
    return s


def shifted(xs):
    s = 255
    for x in xs:
        s = (s >> 1) ^ x
        s = s // 3
    return s


def quotient(xs):
    s = 1000000
    for x in xs:
        s = 1000000 // (s // x + 1)
    return s


# wrapping: fails
def wrapped_maximum(a):
    s = np.int8(0)
    for i in range(len(a)):
        s = np.maximum(s + a[i], np.int8(0)).astype(np.int8)
    return s


def wrapped_tensor(a):
    s = torch.zeros((), dtype=torch.int8)
    for i in range(a.shape[0]):
        s = torch.clamp((s + a[i]).to(torch.int8), 0, 100)
    return s


def wrapped_half(a):
    s = torch.zeros((), dtype=torch.int32)
    for i in range(a.shape[0]):
        s = (s + a[i]) // 2
    return s


# order: fails
def pointer_chase(links):
    at = 0
    for _ in range(len(links)):
        at = links[at]
    return at


def kahan(xs):
    s, c = 0.0, 0.0
    for x in xs:
        y = x - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


def gauss_seidel(u):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (u[i - 1] ** 2 + u[i + 1])
    return u


def running_median(xs):
    seen = []
    m = 0.0
    for x in xs:
        seen.append(x)
        seen.sort()
        m = m * seen[len(seen) // 2]
    return m


def median_of_three(xs):
    a, b = 0.0, 0.0
    for x in xs:
        m = sorted([a, b, x])[1]
        a, b = b, m * m
    return b


def secretary(xs):
    """Takes the first that is better than the mean so far."""
    mean, n, taken = 0.0, 0, 0.0
    for x in xs:
        if taken == 0.0 and x > mean:
            taken = x
        mean = (mean * n + x) / (n + 1) + taken
        n += 1
    return taken


def string_building(xs):
    s = ""
    for x in xs:
        if len(s) > 3:
            s = s[1:]
        s = s + str(x)
    return s


def dictionary(xs):
    seen = {}
    last = 0
    for x in xs:
        last = seen.get(x, last) * 2
        seen[x] = last + 1
    return last


def stack_machine(ops):
    stack = [0]
    for op in ops:
        if op == "+":
            stack.append(stack.pop() + stack.pop())
        else:
            stack.append(op)
    return stack[-1]


def moves_stack(brackets):
    stack = []
    ok = True
    for b in brackets:
        if b == "(":
            stack.append(b)
        elif stack and stack[-1] == "(":
            stack.pop()
        else:
            ok = False
    return ok and not stack


def random_state(xs, rng):
    s = 0.0
    for x in xs:
        s = s * rng.random() if s > x else s + x
    return s


def unknown_function(xs, f):
    s = 0.0
    for x in xs:
        s = f(s, x)
    return s


def ordered_average(xs):
    s = 0.0
    for x in xs:
        s = math.sqrt(abs(s * x))
    return s


def ratio_of_states(xs):
    a, b = 1.0, 1.0
    for x in xs:
        a, b = a / b + x, b + a
    return a


def maximum_times(xs):
    """A maximum of a product, whose factor may be negative: the order of the maxima matters."""
    p, best = 1.0, 0.0
    for x in xs:
        p = max(p * x, p - x)
        best = best + p
    return best


def norm_clipping(g, limit):
    v = np.zeros(g.shape[1])
    for i in range(g.shape[0]):
        v = 0.9 * v + g[i]
        n = np.sqrt((v * v).sum())
        v = np.where(n > limit, v * (limit / n), v)
    return v


def softmax_feedback(a):
    h = torch.zeros(a.shape[1])
    for t in range(a.shape[0]):
        h = torch.softmax(h + a[t], -1)
    return h


def attention_to_self(a):
    h = torch.zeros(a.shape[1])
    for t in range(a.shape[0]):
        h = h + (h * a[t]).sum() * h
    return h


def columns_under_two_names(a):
    """The other name sees what the loop writes: a product of the state."""
    s = np.ones(a.shape[1])
    t = s
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[j] = s[j] + t[0] * t[1]
    return s


def columns_seen_through_a_view(a):
    s = np.ones(a.shape[1])
    rest = s[1:]
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[j] = s[j] * rest[0] + a[i, j]
    return s


def column_after_column(a):
    """Each column is multiplied by what the step left in the one before it."""
    s = np.ones(a.shape[1])
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            s[j] = max(s[j], s[j - 1] * s[j])
    return s


def value_of_and(xs):
    """Connectives give back one of their sides: no truth value is carried."""
    s = 0
    for x in xs:
        s = s and s + x or x * x - 2
    return s


def entry_from_entry(pairs):
    """What one key has is made from what another has."""
    d = {}
    for k, v in pairs:
        d[k] = d[v] + 1
    return d


def sum_of_what_is_written(xs, d, k):
    for x in xs:
        d[k] = d[k] + max(d) * x
    return d


def items_from_items(xs):
    out = []
    for x in xs:
        out.append(x * len(out) * sum(out[-2:]))
    return out


def length_by_another_name(xs):
    out = []
    same = out
    n = 0
    for x in xs:
        out.append(x)
        n = n * len(same) + x
    return n


def small_integers(a):
    s = np.zeros(a.shape[1], dtype=np.uint8)
    for t in range(a.shape[0]):
        s = np.maximum(s + a[t].astype(np.uint8), 3)
    return s


def small_elements(a):
    s = 0
    for x in a.astype("int16"):
        s = max(s + x, 0)
    return s


def product_of_what_was_kept(xs):
    """A loop within the loop looks at what the steps before left."""
    total = 0
    seen = []
    for x in xs:
        m = 1
        for y in seen:
            m = m * y
        seen.append(total)
        total += m * x
    return total


def halved_copy_of_the_state(xs):
    total = 1
    for x in xs:
        k = total
        while k > 10:
            k = k // 2
        total += k * x
    return total


def size_of_a_set_of_states(xs):
    total = 1
    q = set()
    for x in xs:
        total += len(q) * x
        q.add(total)
    return total


def last_two_states(xs):
    total = 1
    q = deque(maxlen=2)
    for x in xs:
        total += sum(q) * total * x
        q.append(total)
    return total


def remainder_by_a_counter(xs):
    """Each step takes the remainder by another number."""
    r = 0
    k = 1
    for x in xs:
        k += 1
        r = (r + x) % k
    return r


def longest_said_twice(pairs):
    """What is carried beside the maximum is a text, and the next one depends on it."""
    best = 0
    said = ""
    for name, score in pairs:
        if score > best:
            best = score
        if said * 2 < name:
            said = name
    return said, best
