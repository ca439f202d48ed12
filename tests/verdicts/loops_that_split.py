"""Loops whose carried values are scans in some domain. See tests/test_properties_programs.py for
the comments above each function: they are what the audit must say about it."""

import math
import statistics

import numpy as np
import torch
import torch.nn.functional as F

# ---------------------------------------------------------------- selection


# associativity: holds proof "semigroup"
def last_seen__for(xs):
    last = 0.0
    for x in xs:
        last = x
    return last


# associativity: holds proof
# locality: holds
def previous_element__append(xs):
    previous = 0.0
    out = []
    for x in xs:
        out.append(x - previous)
        previous = x
    return out


# associativity: holds proof
def last_positive__if(xs):
    last = 0.0
    for x in xs:
        if x > 0:
            last = x
    return last


# associativity: holds proof
def last_positive__conditional(x):
    last = 0.0
    for i in range(len(x)):
        last = x[i] if x[i] > 0 else last
    return last


# associativity: holds proof
def last_positive__continue(xs):
    last = 0.0
    for x in xs:
        if x <= 0:
            continue
        last = x
    return last


# associativity: holds proof
def last_positive__where(x: torch.Tensor):
    T, D = x.shape
    last = torch.zeros(D)
    for t in range(T):
        last = torch.where(x[t] > 0, x[t], last)
    return last


# associativity: holds proof
# symmetry: fails
def forward_fill__torch(x: torch.Tensor, seen: torch.Tensor):
    T, D = x.shape
    held = torch.zeros(D)
    out = []
    for t in range(T):
        held = torch.where(seen[t], x[t], held)
        out.append(held)
    return torch.stack(out)


# ---------------------------------------------------------------- finite


# associativity: holds proof
def parity__not(bits):
    odd = False
    for b in bits:
        if b > 0:
            odd = not odd
    return odd


# associativity: holds proof
def parity__xor(bits):
    odd = False
    for b in bits:
        odd = odd ^ (b > 0)
    return odd


# associativity: holds proof
def parity__ne(bits):
    odd = False
    for b in bits:
        odd = odd != (b > 0)
    return odd


# associativity: holds proof
def seen_any__or(xs):
    found = False
    for x in xs:
        found = found or x > 3
    return found


# associativity: holds proof
def seen_any__if(xs):
    found = False
    for x in xs:
        if x > 3:
            found = True
    return found


# associativity: holds proof
def all_positive__and(xs):
    good = True
    for x in xs:
        good = good and x > 0
    return good


# associativity: holds proof
def all_positive__ampersand(xs):
    good = True
    for x in xs:
        good &= x > 0
    return good


# associativity: holds proof
def machine_of_three__elif(xs):
    state = 0
    for x in xs:
        if state == 0:
            state = 1 if x == 1 else 0
        elif state == 1:
            state = 2 if x == 2 else 0
        else:
            state = 2
    return state


# associativity: holds proof
def counter_modulo_three__mod(xs):
    state = 0
    for x in xs:
        if x > 0:
            state = (state + 1) % 3
    return state


# associativity: holds proof
def words__flag(codes):
    count = 0
    inside = False
    for c in codes:
        letter = c != 32
        if letter and not inside:
            count += 1
        inside = letter
    return count


# associativity: holds proof
def brackets__depth(codes):
    depth = 0
    balanced = True
    for c in codes:
        if c == 40:
            depth += 1
        elif c == 41:
            depth -= 1
        balanced = balanced and depth >= 0
    return balanced and depth == 0


# associativity: holds proof
def toggled_sum__two_states(xs):
    on = False
    total = 0.0
    for x in xs:
        if x == 0:
            on = not on
        if on:
            total += x
    return total


# ---------------------------------------------------------------- affine


# associativity: holds proof "a2 a1"
# symmetry: fails
# locality: holds
# sparsity: fails
def ema__list(xs, alpha):
    s = 0.0
    out = []
    for x in xs:
        s = alpha * x + (1 - alpha) * s
        out.append(s)
    return out


# associativity: holds proof "a2 a1"
# symmetry: fails
# locality: holds
# sparsity: fails
def ema__difference(xs, alpha):
    s = 0.0
    out = []
    for x in xs:
        s += alpha * (x - s)
        out.append(s)
    return out


# associativity: holds proof "a2 a1"
# symmetry: fails
# locality: holds
# sparsity: fails
def ema__numpy(x: np.ndarray, alpha: float):
    n = len(x)
    out = np.zeros(n)
    s = 0.0
    for i in range(n):
        s = s - alpha * (s - x[i])
        out[i] = s
    return out


# associativity: holds proof "a2 a1"
# symmetry: fails
# locality: holds
# sparsity: fails
def ema__in_place(x: torch.Tensor, alpha: float):
    out = torch.zeros(len(x))
    s = torch.zeros(())
    for i, v in enumerate(x):
        s = s * (1 - alpha) + v * alpha
        out[i] = s
    return out


# associativity: holds proof "a2 a1"
def discounted_return__reversed(rewards, gamma):
    g = 0.0
    out = []
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    return out[::-1]


# associativity: holds proof "a2 a1"
def discounted_return__range(rewards, gamma):
    out = [0.0] * len(rewards)
    g = 0.0
    for t in range(len(rewards) - 1, -1, -1):
        g = rewards[t] + gamma * g
        out[t] = g
    return out


# associativity: holds proof "a2 a1"
def gae__numpy(rewards: np.ndarray, values: np.ndarray, dones: np.ndarray, gamma, lam):
    T = len(rewards)
    adv = np.zeros(T)
    last = 0.0
    for t in reversed(range(T)):
        mask = 1.0 - dones[t]
        delta = rewards[t] + gamma * values[t + 1] * mask - values[t]
        last = delta + gamma * lam * mask * last
        adv[t] = last
    return adv


# associativity: holds proof "a2 a1"
def horner__list(coefficients, x):
    p = 0.0
    for c in coefficients:
        p = p * x + c
    return p


# associativity: holds proof
def digits__ord(text):
    n = 0
    for c in text:
        n = n * 10 + (ord(c) - 48)
    return n


# associativity: holds proof
def second_order__two_names(xs, a, b):
    y1 = 0.0
    y2 = 0.0
    out = []
    for x in xs:
        y = a * y1 + b * y2 + x
        y2 = y1
        y1 = y
        out.append(y)
    return out


# associativity: holds proof
def second_order__tuple(xs, a, b):
    y1, y2 = 0.0, 0.0
    out = []
    for x in xs:
        y1, y2 = a * y1 + b * y2 + x, y1
        out.append(y1)
    return out


# associativity: holds proof
def fibonacci__tuple(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# associativity: holds proof "a2 a1"
def diagonal_ssm__torch(a: torch.Tensor, b: torch.Tensor):
    B, T, D = a.shape
    h = torch.zeros(B, D)
    out = []
    for t in range(T):
        h = a[:, t] * h + b[:, t]
        out.append(h)
    return torch.stack(out, dim=1)


# associativity: holds proof "a2 a1"
def diagonal_ssm__addcmul(a: torch.Tensor, b: torch.Tensor):
    B, T, D = a.shape
    h = torch.zeros(B, D)
    out = torch.empty(B, T, D)
    for t in range(T):
        h = torch.addcmul(b[:, t], a[:, t], h)
        out[:, t] = h
    return out


# associativity: holds proof "a2 a1"
def diagonal_ssm__unbind(a: torch.Tensor, b: torch.Tensor):
    B, T, D = a.shape
    h = torch.zeros(B, D)
    out = []
    for at, bt in zip(a.unbind(1), b.unbind(1)):
        h = at * h
        h = h + bt
        out.append(h)
    return torch.stack(out, 1)


# associativity: holds proof
def dense_ssm__matmul(A: torch.Tensor, x: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        h = A @ h + x[t]
    return h


# associativity: holds proof
def dense_ssm__einsum(A: torch.Tensor, x: torch.Tensor):
    T, N = x.shape
    h = torch.zeros(N)
    for t in range(T):
        h = torch.einsum("ij,j->i", A, h) + x[t]
    return h


# associativity: holds proof
def linear_attention_state__outer(k: torch.Tensor, v: torch.Tensor):
    T, D = k.shape
    S = torch.zeros(D, D)
    for t in range(T):
        S = S + k[t][:, None] * v[t][None, :]
    return S


# associativity: holds proof
def delta_rule__matrix_state(k: torch.Tensor, v: torch.Tensor, beta: torch.Tensor):
    T, D = k.shape
    S = torch.zeros(D, D)
    for t in range(T):
        S = S + beta[t] * torch.outer(v[t] - S @ k[t], k[t])
    return S


# associativity: holds proof
def complex_filter__list(xs, radius, angle):
    w = complex(radius * math.cos(angle), radius * math.sin(angle))
    z = 0j
    for x in xs:
        z = z * w + x
    return z


# associativity: holds proof
def rotation__two_states(angles):
    c, s = 1.0, 0.0
    for a in angles:
        c, s = c * math.cos(a) - s * math.sin(a), c * math.sin(a) + s * math.cos(a)
    return c, s


# associativity: holds proof
def rolling_hash__ord(text):
    h = 7
    for c in text:
        h = (h * 31 + ord(c)) % 1000003
    return h


# associativity: holds proof
def random_generator__lcg(n):
    s = 1
    for _ in range(n):
        s = (1103515245 * s + 12345) % 2147483648
    return s


# associativity: holds proof "0"
# symmetry: holds
def total__augmented(xs):
    s = 0.0
    for x in xs:
        s += x
    return s


# associativity: holds proof "0"
# symmetry: holds
def total__index(xs):
    s = 0.0
    for i in range(len(xs)):
        s = xs[i] + s
    return s


# associativity: holds proof "0"
# symmetry: holds
def total__while(xs):
    s = 0.0
    i = 0
    while i < len(xs):
        s += xs[i]
        i += 1
    return s


# associativity: holds proof "0"
# symmetry: holds
def total__enumerate(xs):
    s = 0.0
    for _, x in enumerate(xs):
        s = s + x
    return s


# associativity: holds proof "1"
def product__list(xs):
    p = 1.0
    for x in xs:
        p *= x
    return p


# associativity: holds proof
# symmetry: holds
def count__if(xs, limit):
    n = 0
    for x in xs:
        if x > limit:
            n += 1
    return n


# associativity: holds proof
# symmetry: holds
def count__conditional(xs, limit):
    n = 0
    for x in xs:
        n += 1 if x > limit else 0
    return n


# associativity: holds proof
# symmetry: holds
def count__truth(xs, limit):
    n = 0
    for x in xs:
        n += x > limit
    return n


# associativity: holds proof
def reset_on_input__segmented(xs, flags):
    s = 0.0
    out = []
    for x, f in zip(xs, flags):
        if f:
            s = 0.0
        s = s + x
        out.append(s)
    return out


# associativity: holds proof
def interest__deposit(deposits, rate):
    balance = 100.0
    for d in deposits:
        balance = balance * (1 + rate) + d
    return balance


# associativity: holds proof
def interest__in_steps(deposits, rate):
    balance = 100.0
    for d in deposits:
        balance += balance * rate
        balance += d
    return balance


# ---------------------------------------------------------------- max-plus, min-plus, lattice


# associativity: holds proof "-inf"
# symmetry: holds
def largest__max(xs):
    m = float("-inf")
    for x in xs:
        m = max(m, x)
    return m


# associativity: holds proof "-inf"
# symmetry: holds
def largest__if(xs):
    m = float("-inf")
    for x in xs:
        if x > m:
            m = x
    return m


# associativity: holds proof "-inf"
# symmetry: holds
def largest__ge(xs):
    m = float("-inf")
    for x in xs:
        if m <= x:
            m = x
    return m


# associativity: holds proof "-inf"
# symmetry: holds
def largest__conditional(xs):
    m = -math.inf
    for x in xs:
        m = x if x > m else m
    return m


# associativity: holds proof
def best_suffix__max(xs):
    s = 0.0
    for x in xs:
        s = max(s + x, 0.0)
    return s


# associativity: holds proof
def best_suffix__if(xs):
    s = 0.0
    for x in xs:
        s = s + x
        if s < 0:
            s = 0.0
    return s


# associativity: holds proof
def kadane__max(xs):
    best = 0.0
    here = 0.0
    for x in xs:
        here = max(here + x, 0.0)
        best = max(best, here)
    return best


# associativity: holds proof
def kadane__if(xs):
    best = 0.0
    here = 0.0
    for x in xs:
        here += x
        if here < 0:
            here = 0.0
        if here > best:
            best = here
    return best


# associativity: holds proof
def kadane__numpy(x: np.ndarray):
    best = 0.0
    here = 0.0
    for i in range(x.shape[0]):
        here = np.maximum(x[i], here + x[i])
        best = np.maximum(best, here)
    return best


# associativity: holds proof
def best_prefix__two(xs):
    s = 0.0
    best = 0.0
    for x in xs:
        s += x
        best = max(best, s)
    return best


# associativity: holds proof
def drawdown__peak(prices):
    peak = 0.0
    worst = 0.0
    for p in prices:
        peak = max(peak, p)
        worst = max(worst, peak - p)
    return worst


# associativity: holds proof
def viterbi__torch(trans: torch.Tensor, emit: torch.Tensor):
    T, N = emit.shape
    score = torch.zeros(N)
    for t in range(T):
        score = (score[:, None] + trans).max(dim=0).values + emit[t]
    return score


# associativity: holds proof
def shortest_path__numpy(cost: np.ndarray, w: np.ndarray):
    T, N = cost.shape
    d = np.zeros(N)
    for t in range(T):
        d = np.min(d[:, None] + w, axis=0) + cost[t]
    return d


# associativity: holds proof
# symmetry: holds
def range_of__min_max(xs):
    low, high = math.inf, -math.inf
    for x in xs:
        low = min(low, x)
        high = max(high, x)
    return high - low


# associativity: holds proof
def second_smallest__branches(xs):
    first = math.inf
    second = math.inf
    for x in xs:
        if x < first:
            second = first
            first = x
        elif x < second:
            second = x
    return second


# associativity: holds proof
def second_smallest__min_max(xs):
    first = math.inf
    second = math.inf
    for x in xs:
        second = min(second, max(first, x))
        first = min(first, x)
    return second


# associativity: holds proof
def moving_limits__lattice(lows, highs):
    s = 0.0
    for low, high in zip(lows, highs):
        s = min(max(s, low), high)
    return s


# associativity: holds proof
def longest_run__count(xs):
    run = 0
    best = 0
    for x in xs:
        run = run + 1 if x > 0 else 0
        best = max(best, run)
    return best


# ---------------------------------------------------------------- clamped affine


# associativity: holds proof
def leaky_bucket__max(xs, rate):
    level = 0.0
    for x in xs:
        level = max(level - rate, 0.0) + x
    return level


# associativity: holds proof
def leaky_bucket__if(xs, rate):
    level = 0.0
    for x in xs:
        level = level - rate
        if level < 0:
            level = 0.0
        level = level + x
    return level


# associativity: holds proof
def saturating_counter__min_max(xs):
    c = 0.0
    for x in xs:
        c = min(3.0, max(0.0, c + x))
    return c


# associativity: holds proof
def saturating_counter__clip(x: np.ndarray):
    c = 0.0
    for i in range(len(x)):
        c = np.clip(c + x[i], 0.0, 3.0)
    return c


# associativity: holds proof
def relu_recurrence__torch(a: torch.Tensor, b: torch.Tensor):
    T, D = a.shape
    h = torch.zeros(D)
    for t in range(T):
        h = F.relu(a[t] * h + b[t])
    return h


# associativity: holds proof
def relu_recurrence__clamp(a: torch.Tensor, b: torch.Tensor):
    T, D = a.shape
    h = torch.zeros(D)
    for t in range(T):
        h = (a[t] * h + b[t]).clamp(min=0)
    return h


# ---------------------------------------------------------------- Moebius


# associativity: holds proof "matri"
def continued_fraction__list(xs):
    f = 1.0
    for x in xs:
        f = x + 1 / f
    return f


# associativity: holds proof "matri"
def thomas_sweep__numpy(a: np.ndarray, b: np.ndarray, c: np.ndarray):
    n = len(b)
    out = np.zeros(n)
    w = 0.0
    for i in range(n):
        w = c[i] / (b[i] - a[i] * w)
        out[i] = w
    return out


# associativity: holds proof "matri"
def kalman_variance__gain(q, r, n):
    p = 1.0
    for _ in range(n):
        m = p + q
        p = m * r / (m + r)
    return p


# associativity: holds proof "matri"
def kalman_variance__steps(qs, rs):
    p = 1.0
    for q, r in zip(qs, rs):
        p = p + q
        gain = p / (p + r)
        p = (1 - gain) * p
    return p


# associativity: holds proof
def parallel_resistors__reciprocal(rs):
    total = 1.0
    for r in rs:
        total = 1 / (1 / total + 1 / r)
    return total


# ---------------------------------------------------------------- log-semiring


# associativity: holds proof
def cumulative_logsumexp__logaddexp(x: torch.Tensor):
    T, D = x.shape
    s = torch.full((D,), float("-inf"))
    out = []
    for t in range(T):
        s = torch.logaddexp(s, x[t])
        out.append(s)
    return torch.stack(out)


# associativity: holds proof
def cumulative_logsumexp__math(xs):
    s = 0.0
    for x in xs:
        s = math.log(math.exp(s) + math.exp(x))
    return s


# associativity: holds proof
def cumulative_logsumexp__numpy(x: np.ndarray):
    s = -np.inf
    for i in range(len(x)):
        s = np.logaddexp(s, x[i])
    return s


# associativity: holds proof
def log_filter__decay(x: torch.Tensor, a: torch.Tensor):
    T, D = x.shape
    s = torch.zeros(D)
    for t in range(T):
        s = torch.logaddexp(s + a[t], x[t])
    return s


# associativity: holds proof
def hmm_forward__logsumexp(trans: torch.Tensor, emit: torch.Tensor):
    T, N = emit.shape
    alpha = torch.zeros(N)
    for t in range(T):
        alpha = torch.logsumexp(alpha[:, None] + trans, dim=0) + emit[t]
    return alpha


# associativity: holds proof
def hmm_forward__normal_space(trans: torch.Tensor, emit: torch.Tensor):
    T, N = emit.shape
    alpha = torch.ones(N)
    for t in range(T):
        alpha = (alpha @ trans) * emit[t]
    return alpha


# ---------------------------------------------------------------- best by key


# associativity: holds proof "earlier"
def argmax__first(xs):
    best = -math.inf
    where = -1
    for i, x in enumerate(xs):
        if x > best:
            best = x
            where = i
    return where


# associativity: holds proof "later"
def argmax__last(xs):
    best = -math.inf
    where = -1
    for i, x in enumerate(xs):
        if x >= best:
            best = x
            where = i
    return where


# associativity: holds proof "earlier"
def argmax__tuple(xs):
    best, where = -math.inf, -1
    for i in range(len(xs)):
        best, where = (xs[i], i) if xs[i] > best else (best, where)
    return where


# associativity: holds proof "earlier"
def cheapest_payload__if(prices, names):
    lowest = math.inf
    chosen = 0
    for p, name in zip(prices, names):
        if p < lowest:
            lowest = p
            chosen = name
    return chosen


# associativity: holds proof
def top_k__stream(chunks: torch.Tensor):
    n, m = chunks.shape
    best = torch.full((10,), float("-inf"))
    for t in range(n):
        best = torch.topk(torch.cat([best, chunks[t]]), 10).values
    return best


# associativity: holds proof
def top_k__sort(chunks: torch.Tensor):
    n, m = chunks.shape
    best = torch.full((10,), float("-inf"))
    for t in range(n):
        merged = torch.cat([best, chunks[t]])
        best = torch.sort(merged, descending=True).values[:10]
    return best


# ---------------------------------------------------------------- lifting


# associativity: holds proof "one pass"
# symmetry: holds
def online_softmax__max(xs):
    m = -math.inf
    l = 0.0
    for x in xs:
        new = max(m, x)
        l = l * math.exp(m - new) + math.exp(x - new)
        m = new
    return m, l


# associativity: holds proof "one pass"
# symmetry: holds
def online_softmax__if(xs):
    m = -math.inf
    l = 0.0
    for x in xs:
        if x > m:
            l = l * math.exp(m - x) + 1.0
            m = x
        else:
            l += math.exp(x - m)
    return m, l


# associativity: holds proof "one pass"
# symmetry: holds
def online_softmax__old_kept(xs):
    m = -math.inf
    l = 0.0
    for x in xs:
        old = m
        if x > m:
            m = x
        scale = math.exp(old - m)
        l = l * scale + math.exp(x - m)
    return m, l


# associativity: holds proof "one pass"
# symmetry: holds
def online_softmax__numpy(x: np.ndarray):
    m = -np.inf
    l = 0.0
    for i in range(len(x)):
        new = np.maximum(m, x[i])
        l = np.exp(m - new) * l + np.exp(x[i] - new)
        m = new
    return m, l


# associativity: holds proof "one pass"
# symmetry: holds
def online_softmax__torch(x: torch.Tensor):
    T, D = x.shape
    m = torch.full((D,), float("-inf"))
    l = torch.zeros(D)
    for t in range(T):
        new = torch.maximum(m, x[t])
        l = l * (m - new).exp() + (x[t] - new).exp()
        m = new
    return m, l


# associativity: holds proof "one pass"
# symmetry: holds
def online_softmax__conditional(xs):
    m = -math.inf
    l = 0.0
    for x in xs:
        l = l * math.exp(m - x) + 1.0 if x > m else l + math.exp(x - m)
        m = x if x > m else m
    return m, l


# associativity: holds proof "one pass"
def online_attention__torch(s: torch.Tensor, v: torch.Tensor):
    T, D = v.shape
    m = torch.tensor(float("-inf"))
    l = torch.tensor(0.0)
    o = torch.zeros(D)
    for t in range(T):
        new = torch.maximum(m, s[t])
        c = torch.exp(m - new)
        p = torch.exp(s[t] - new)
        l = l * c + p
        o = o * c + p * v[t]
        m = new
    return o / l


# associativity: holds proof "one pass"
def welford__classic(xs):
    n = 0
    mean = 0.0
    m2 = 0.0
    for x in xs:
        n += 1
        delta = x - mean
        mean += delta / n
        m2 += delta * (x - mean)
    return mean, m2 / n


# associativity: holds proof "one pass"
def welford__old_mean(xs):
    n = 0
    mean = 0.0
    m2 = 0.0
    for x in xs:
        n = n + 1
        old = mean
        mean = mean + (x - mean) / n
        m2 = m2 + (x - old) * (x - mean)
    return m2 / n


# associativity: holds proof "one pass"
def welford__weighted_delta(xs):
    n = 0
    mean = 0.0
    m2 = 0.0
    for x in xs:
        d = x - mean
        m2 += d * d * n / (n + 1)
        n += 1
        mean += d / n
    return m2 / n


# associativity: holds proof "one pass"
def running_mean__increment(xs):
    n = 0
    mean = 0.0
    for x in xs:
        n += 1
        mean += (x - mean) / n
    return mean


# associativity: holds proof "one pass"
def running_mean__weights(xs):
    n = 0
    mean = 0.0
    for x in xs:
        mean = (mean * n + x) / (n + 1)
        n += 1
    return mean


# associativity: holds proof
# symmetry: holds
def two_sums__list(xs):
    s = 0.0
    q = 0.0
    for x in xs:
        s += x
        q += x * x
    return q - s * s


# associativity: holds proof
# symmetry: holds
def two_sums__power(xs):
    s = q = 0.0
    for x in xs:
        s, q = s + x, q + x**2
    return q - s * s


# associativity: holds proof
def skewness__terriberry(xs):
    n = 0
    mean = 0.0
    m2 = 0.0
    m3 = 0.0
    for x in xs:
        n1 = n
        n = n + 1
        delta = x - mean
        step = delta / n
        term = delta * step * n1
        mean = mean + step
        m3 = m3 + term * step * (n - 2) - 3 * step * m2
        m2 = m2 + term
    return m3


# associativity: holds proof
def weighted_mean__two(xs, ws):
    total = 0.0
    mean = 0.0
    for x, w in zip(xs, ws):
        total += w
        mean += (w / total) * (x - mean)
    return mean


# associativity: holds proof
def is_sorted__previous(xs):
    ordered = True
    previous = -math.inf
    for x in xs:
        ordered = ordered and previous <= x
        previous = x
    return ordered


# associativity: holds proof "first such element"
def first_place__minus_one(xs, t):
    pos = -1
    for i, x in enumerate(xs):
        if pos == -1 and x > t:
            pos = i
    return pos


# associativity: holds proof "first such element"
def first_place__none(xs, t):
    pos = None
    for i, x in enumerate(xs):
        if x > t and pos is None:
            pos = i
    return pos


# associativity: holds proof "first such element"
def first_place__sign(xs: list, t):
    pos = -1
    for i in range(len(xs)):
        if xs[i] > t:
            if pos < 0:
                pos = i
    return pos


# associativity: holds proof "on a tie"
def largest_place__sentinel(xs):
    pos = -1
    for i, x in enumerate(xs):
        if pos == -1 or x > xs[pos]:
            pos = i
    return pos


# associativity: holds proof "on a tie"
def largest_place__none(xs):
    best, pos = None, -1
    for i, x in enumerate(xs):
        if pos < 0 or x > best:
            best, pos = x, i
    return pos


# associativity: holds proof "on a tie"
def longest__branch(words):
    best = ""
    for w in words:
        if len(w) > len(best):
            best = w
    return best


# associativity: holds proof "on a tie"
def longest__key(words):
    best = ""
    for w in words:
        best = max(best, w, key=len)
    return best


# associativity: holds proof "elements late"
def peaks__from_none(xs):
    n = 0
    p = q = None
    for x in xs:
        if q is not None and p is not None and q < p > x:
            n += 1
        q, p = p, x
    return n


# associativity: holds proof
def peaks__zip(xs):
    n = 0
    for a, b, c in zip(xs, xs[1:], xs[2:]):
        if a < b > c:
            n += 1
    return n


# associativity: holds proof
def peaks__enumerate(xs):
    n = 0
    for i, b in enumerate(xs):
        if 0 < i < len(xs) - 1 and xs[i - 1] < b > xs[i + 1]:
            n += 1
    return n


# associativity: holds proof
def greatest_product__of_sizes(xs):
    here = best = 1.0
    for x in xs:
        here = max(here * abs(x), 1)
        best = max(best, here)
    return best


# associativity: holds proof "shifted bits"
def bits__or(bits):
    v = 0
    for b in bits:
        v = v << 1 | b
    return v


# associativity: holds proof "shifted bits"
def bits__masked(data):
    v = 0
    for b in data:
        v = (v << 8) ^ (b & 255)
    return v


# associativity: holds proof
def bits__added(data):
    v = 0
    for b in data:
        v = (v << 8) + b
    return v


# associativity: holds proof "counted beside"
def shortfall__extremes(demands, stock):
    short = 0
    for d in demands:
        before = stock
        stock = max(stock - d, 0)
        short += max(d - before, 0)
    return short


# associativity: holds proof "counted beside"
def shortfall__taken(demands, stock):
    served = 0
    for d in demands:
        take = min(d, stock)
        stock -= take
        served += take
    return served


# ---------------------------------------------------------------- what each step makes


# associativity: holds structure "concatenation"
def squares__append(xs):
    out = []
    for x in xs:
        out.append(x * x)
    return out


# ---------------------------------------------------------------- the middle of three


# associativity: holds proof "clamp"
def middle__sorted(xs, low: float, high: float):
    held = 0.0
    for x in xs:
        held = sorted([low, held + x, high])[1]
    return held


# associativity: holds proof "clamp"
def middle__median(xs, low: float, high: float):
    held = 0.0
    for x in xs:
        held = statistics.median((held + x, low, high))
    return held


# associativity: holds proof "clamp"
def middle__extrema(xs, low: float, high: float):
    held = 0.0
    for x in xs:
        moved = held + x
        held = max(min(moved, low), min(max(moved, low), high))
    return held


# associativity: holds proof "the better"
def largest_row(pairs: list[tuple[float, float]], row: tuple[float, float]):
    for pair in pairs:
        if pair > row:
            row = pair
    return row


# ---------------------------------------------------------------- maxima of products


# associativity: holds proof "with lo negated"
def greatest_product__swapped(xs):
    lo = hi = 1.0
    for x in xs:
        if x < 0:
            lo, hi = hi, lo
        hi = max(x, hi * x)
        lo = min(x, lo * x)
    return hi


# associativity: holds proof "with lo negated"
def greatest_product__branches(a):
    lo, hi = a[0], a[0]
    for i in range(1, len(a)):
        if a[i] >= 0:
            lo, hi = min(a[i], lo * a[i]), max(a[i], hi * a[i])
        else:
            lo, hi = min(a[i], hi * a[i]), max(a[i], lo * a[i])
    return hi


# associativity: holds proof "(max, *)"
def likeliest_path__softmax(logits, emissions):
    moves = torch.softmax(logits, -1)
    p = torch.ones(4)
    for t in range(emissions.shape[0]):
        p = (p[:, None] * moves).amax(0) * torch.sigmoid(emissions[t])
    return p


# associativity: partial proof "A[j, 0] is never negative"
def likeliest_path__given(A, B, observed):
    p = np.ones(3)
    for o in observed:
        p = np.max(p[:, None] * A, axis=0) * B[:, o]
    return p


# ---------------------------------------------------------------- few whole numbers


# associativity: holds proof "table"
def quadratic_residue(xs: list[int]):
    s = 0
    for x in xs:
        s = (s * s + x) % 7
    return s


# associativity: holds proof "6 whole values"
def level__branches(xs):
    level = 0
    for x in xs:
        if x > 0.5:
            level = min(level * level + 1, 5)
        else:
            level = level // 2
    return level


# associativity: holds proof "the remainder by 12"
def hour_at_least(xs: list[int]):
    hour = 0
    for x in xs:
        hour = max(hour % 12 + x, 3)
    return hour


# associativity: unknown "nothing says that a, b holds whole numbers"
def carried_digit__divmod(a, b):
    carry, digits = 0, []
    for x, y in zip(a, b):
        carry, digit = divmod(x + y + carry, 10)
        digits.append(digit)
    return digits, carry


# associativity: unknown "holds whole numbers"
def polynomial_hash__given(text, base, modulus):
    h = 0
    for c in text:
        h = (h * base + ord(c)) % modulus
    return h
