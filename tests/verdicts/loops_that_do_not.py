"""Loops and statistics that cannot be split, or of which it must not be claimed. The comments
above each function are what the audit must say about it."""

import math
import statistics

import numpy as np
import torch

# ---------------------------------------------------------------- nonlinear recurrences


# associativity: fails "tanh"
# symmetry: fails
def rnn__tanh(x: torch.Tensor, W: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        h = torch.tanh(W @ h + x[t])
    return h


# associativity: fails "tanh(h"
def rnn__of_state(xs):
    h = 0.0
    for x in xs:
        h = math.tanh(h) + x
    return h


# associativity: fails "tanh"
def rnn__method(x: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        h = (0.5 * h + x[t]).tanh()
    return h


# associativity: fails "sigmoid"
def gated__sigmoid(x: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        z = torch.sigmoid(h + x[t])
        h = z * h + (1 - z) * x[t]
    return h


# associativity: fails
def logistic_map__product(n, r):
    s = 0.5
    for _ in range(n):
        s = r * s * (1 - s)
    return s


# associativity: fails
def logistic_map__expanded(n, r):
    s = 0.5
    for _ in range(n):
        s = r * s - r * s**2
    return s


# associativity: fails
def square_and_add__star(xs):
    s = 0.0
    for x in xs:
        s = s * s + x
    return s


# associativity: fails
def square_and_add__power(xs):
    s = 0.0
    for x in xs:
        s = s**2 + x
    return s


# associativity: fails
def square_and_add__pow(xs):
    s = 0.0
    for x in xs:
        s = pow(s, 2) + x
    return s


# associativity: fails
def square_and_add__numpy(x: np.ndarray):
    s = 0.0
    for i in range(len(x)):
        s = np.square(s) + x[i]
    return s


# associativity: fails "sin"
def sine_map__add(xs):
    s = 0.0
    for x in xs:
        s = math.sin(s) + x
    return s


# associativity: fails
def newton__sqrt(xs):
    s = 1.0
    for x in xs:
        s = 0.5 * (s + x / s)
    return s


# associativity: fails "exp"
def exponential_of_state__add(xs):
    s = 0.0
    for x in xs:
        s = s + math.exp(-s) * x
    return s


# associativity: fails "sqrt"
def root__nested(xs):
    s = 1.0
    for x in xs:
        s = math.sqrt(s + x)
    return s


# associativity: fails
def distance__absolute(xs):
    s = 0.0
    for x in xs:
        s = abs(s - x)
    return s


# associativity: fails
def two_states_product__coupled(xs):
    a, b = 1.0, 1.0
    for x in xs:
        a, b = a * b + x, a - b
    return a


# ---------------------------------------------------------------- control that reads the state


# associativity: fails
def reset_on_state__conditional(xs):
    s = 0.0
    for x in xs:
        s = s + x if s < 10 else 0.0
    return s


# associativity: fails
def reset_on_state__if(xs):
    s = 0.0
    for x in xs:
        s += x
        if s > 10:
            s = 0.0
    return s


# associativity: fails
def reset_on_state__where(x: torch.Tensor):
    T, D = x.shape
    s = torch.zeros(D)
    for t in range(T):
        s = s + x[t]
        s = torch.where(s > 1.0, torch.zeros_like(s), s)
    return s


# associativity: fails
def spiking__threshold(x: torch.Tensor):
    T, D = x.shape
    v = torch.zeros(D)
    spikes = []
    for t in range(T):
        v = 0.9 * v + x[t]
        z = (v > 1.0).float()
        v = v - z
        spikes.append(z)
    return torch.stack(spikes)


# associativity: fails
def collatz__if(n, steps):
    for _ in range(steps):
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
    return n


# associativity: fails
def collatz__conditional(steps):
    n = 27
    for _ in range(steps):
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return n


# associativity: fails|unknown
def stop_when_large__break(xs):
    s = 0.0
    for x in xs:
        s += x
        if s > 100:
            break
    return s


# associativity: fails
def greedy_packing__if(sizes, capacity):
    bins = 0
    used = 0.0
    for x in sizes:
        if used + x > capacity:
            bins += 1
            used = x
        else:
            used += x
    return bins


# associativity: fails
def hysteresis__change(xs):
    s = 0.0
    for x in xs:
        if abs(x - s) > 1.0:
            s = x
    return s


# associativity: fails|unknown
def state_as_index__table(table, n):
    s = 0
    for _ in range(n):
        s = table[s]
    return s


# ---------------------------------------------------------------- rare branches


# associativity: fails
def rare_branch__input(xs):
    s = 0.0
    for x in xs:
        s = s + x if x != 424242 else s * s
    return s


# associativity: fails
def rare_branch__if(xs):
    s = 0.0
    for x in xs:
        if x == 424242:
            s = s * s
        else:
            s += x
    return s


# associativity: fails
def rare_branch__state(xs):
    s = 0
    for x in xs:
        if s == 123456789:
            s = 0
        s = s + x
    return s


# associativity: fails
def rare_branch__max(xs):
    m = 0.0
    for x in xs:
        m = max(m, x) if x < 1e9 else m * m
    return m


# associativity: fails
def rare_branch__torch(x: torch.Tensor):
    T, D = x.shape
    s = torch.zeros(D)
    for t in range(T):
        s = torch.where(x[t] == 424242, s * s, s + x[t])
    return s


# ---------------------------------------------------------------- integers and rounding


# associativity: fails|unknown
def halves__integer(xs):
    s = 0
    for x in xs:
        s = (s + x) // 2
    return s


# associativity: fails
def three_halves__integer(xs):
    s = 0
    for x in xs:
        s = (3 * s) // 2 + x
    return s


# associativity: fails "int"
def truncated__int(xs):
    s = 0
    for x in xs:
        s = int(s * 1.5) + x
    return s


# associativity: fails "round"
def rounded__round(xs, rate):
    s = 0.0
    for x in xs:
        s = round(s * rate + x, 2)
    return s


# associativity: fails "floor"
def floored__math(xs):
    s = 0.0
    for x in xs:
        s = math.floor(1.5 * s) + x
    return s


# associativity: fails|unknown
def saturating__wrapped(x: torch.Tensor):
    n = x.shape[0]
    s = torch.zeros((), dtype=torch.int8)
    for i in range(n):
        s = torch.clamp(s + x[i].to(torch.int8), max=100)
    return s


# associativity: fails|unknown
def real_modulus__float(xs):
    s = 0.0
    for x in xs:
        s = (1.5 * s + x) % 1.0
    return s


# associativity: fails|unknown
def xorshift__shifts(n):
    s = 88172645463325252
    for _ in range(n):
        s = s ^ (s << 13)
        s = s ^ (s >> 7)
    return s


# associativity: fails "compensation"
def kahan__compensated(xs):
    s = 0.0
    c = 0.0
    for x in xs:
        y = x - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


# symmetry: fails|unknown
def string_building__plus(names):
    out = ""
    for name in names:
        out = out + name
    return out


# symmetry: fails|unknown
def string_building__separator(names):
    out = ""
    for name in names:
        out = out + ", " + name
    return out


# associativity: unknown|fails
def unknown_call__function(xs, step):
    s = 0.0
    for x in xs:
        s = step(s, x)
    return s


# ---------------------------------------------------------------- order statistics


# associativity: fails counterexample
# symmetry: holds
# redundancy: holds
def median__numpy(x: np.ndarray):
    return np.median(x)


# associativity: fails counterexample
# symmetry: holds
# redundancy: holds
def median__torch(x: torch.Tensor):
    (n,) = x.shape
    return torch.median(x)


# associativity: fails counterexample
# symmetry: holds
# redundancy: holds
def median__sorted(xs):
    ordered = sorted(xs)
    return ordered[len(ordered) // 2]


# associativity: fails counterexample
# symmetry: holds
# redundancy: holds
def median__sort_method(x: torch.Tensor):
    (n,) = x.shape
    s = x.sort().values
    return s[n // 2]


# associativity: fails counterexample
# symmetry: holds
def median__statistics(xs):
    return statistics.median(xs)


# associativity: fails counterexample
# symmetry: holds
def percentile__ninety(x: np.ndarray):
    return np.percentile(x, 90)


# associativity: fails counterexample
# symmetry: holds
def percentile__quantile(x: np.ndarray):
    return np.quantile(x, 0.9)


# associativity: fails counterexample
# symmetry: holds
def percentile__torch(x: torch.Tensor):
    return torch.quantile(x, 0.9)


# associativity: fails counterexample
# symmetry: holds
def mode__statistics(xs):
    return statistics.mode(xs)


# associativity: fails counterexample
# symmetry: holds
def mode__torch(x: torch.Tensor):
    return torch.mode(x).values


# associativity: fails counterexample
def trimmed_mean__sorted(x: torch.Tensor):
    (n,) = x.shape
    s = torch.sort(x).values
    return s[n // 4 : n - n // 4].mean()


# associativity: fails "a product of states"
def factors__of_unknown_axes(a: torch.Tensor, b: torch.Tensor, h: torch.Tensor):
    for t in range(a.shape[1]):
        h = (a[:, t] * h + 1) * (b[:, t] * h + 2)
    return h


# associativity: fails "a product of states"
def factors__of_one_axis(a: torch.Tensor, b: torch.Tensor):
    N, T = a.shape
    h = torch.zeros(N)
    for t in range(T):
        h = (a[:, t] * h + 1) * (b[:, t] * h + 2)
    return h


# associativity: fails|unknown
def longest__by_two(words):
    best = ""
    for w in words:
        if len(w) > len(best) + 1:
            best = w
    return best


# associativity: fails|unknown
def first__that_is_kept_on(xs, t):
    pos = -1
    for i, x in enumerate(xs):
        if pos < x and x > t:
            pos = i
    return pos


# associativity: fails|unknown
def bits__of_the_state(xs):
    v = 1
    for x in xs:
        v = (v << 1) | (v ^ x)
    return v


# associativity: unknown|holds
def climbs__by_remainders(xs: list[int]):
    m = 0
    for x in xs:
        if x % 4 == m:
            m += 1
    return m


# associativity: unknown|holds
def swings__by_remainders(xs: list[int]):
    s = 0
    for x in xs:
        s = abs(s - x % 2)
    return s


# ---------------------------------------------------------------- loops within, begun by the state


# associativity: unknown|fails
def begun_within__changed_in_place(data: bytes):
    s = 5
    for b in data:
        s ^= b
        for _ in range(3):
            s = s * s + 1
    return s


# associativity: unknown|fails
def begun_within__choice(data: bytes):
    s = 5
    for b in data:
        s ^= b
        for _ in range(3):
            s = s * s % 7 if s > 1 else s * 3
    return s


# associativity: unknown|fails
def begun_within__without_notation(xs: torch.Tensor, s: torch.Tensor):
    for t in range(xs.shape[0]):
        c = torch.linalg.matrix_exp(s)
        for _ in range(3):
            c = c * 2.0
        s = s * 0.5 + xs[t] * c
    return s


# associativity: unknown|fails
def begun_within__unknown_function(xs: torch.Tensor, s: torch.Tensor, made_of):
    out = []
    for t in range(xs.shape[0]):
        c = made_of(s)
        for _ in range(3):
            c = c * 2.0
        s = s * 0.5 + c
        out.append(s)
    return torch.stack(out)


# associativity: fails|unknown
def middle_of_a_square(xs: list[float]):
    held = 0.0
    for x in xs:
        held = sorted([x, held * held, 2.0])[1]
    return held


# associativity: fails "v*v"
def of_pairs__annotated(pairs: list[tuple[float, float]], rate: float):
    v = 0.0
    for reward, weight in pairs:
        v = v + rate * (reward + v * v * weight - v)
    return v


# associativity: unknown
def rows_joined(pairs: list[tuple[float, float]], row: tuple[float, float]):
    for pair in pairs:
        row = row + pair
    return row


# ---------------------------------------------------------------- maxima of products


# associativity: fails
def greatest_product__one_more(xs):
    lo = hi = 1.0
    for x in xs:
        if x < 0:
            lo, hi = hi, lo
        hi = max(x, hi * x + lo)
        lo = min(x, lo * x)
    return hi


# associativity: fails
def largest_and_least_of_two(pairs):
    a = b = 1.0
    for x, y in pairs:
        a, b = max(x * a, y * b), min(x * a, y * b)
    return a


# associativity: unknown
def largest_turned_round(pairs):
    a = b = 1.0
    for x, y in pairs:
        a, b = -max(abs(x) * a, abs(y) * b), max(abs(y) * a, abs(x) * b)
    return a


# ---------------------------------------------------------------- the same map at every step


# associativity: fails "x^3"
def descent_of_a_quartic(x, rate, steps):
    for _ in range(steps):
        x = x - rate * 4 * x**3
    return x


# associativity: holds "with u = y^3"
def sum_of_cubes(step, steps):
    y = 0.0
    for _ in range(steps):
        y = (y**3 + step) ** (1 / 3)
    return y


# ---------------------------------------------------------------- whole numbers that are rounded


# associativity: fails "different ways"
def average_of_whole_numbers(xs: list[int]):
    average = 0
    for x in xs:
        average += (x - average) // 8
    return average


# associativity: fails "different ways"
def remainder_and_quotient(xs: list[int]):
    v = 0
    for x in xs:
        v = max(v % 12 + x, v // 3)
    return v


# associativity: unknown
def quadratic_remainder_of_any(xs):
    s = 0
    for x in xs:
        s = (s * s + x) % 7
    return s
