"""What a step binds in passing, names that are no builtins, and items of lists that are no numbers.
The comments above each function are what the audit must say about it."""

# ---------------------------------------------------------------- bound by := and carried


# associativity: holds
def affine__added(xs: list[float]):
    s = 0.0
    return sum((s := 0.5 * s + x) for x in xs)


# associativity: holds
# symmetry: holds
def squared__read_after(xs: list[float]):
    return sum((y := x + 1) * y for x in xs)


# associativity: unknown
# symmetry: fails|unknown
def skipped__conjunction(xs: list[int]):
    prev = 0
    n = 0
    for x in xs:
        if x < prev - 1 and (prev := x) is not None:
            n += 1
    return n


# associativity: unknown
# symmetry: fails|unknown
def skipped__choice(xs: list[int]):
    prev = 0
    n = 0
    for x in xs:
        n += x if x > 2 else (prev := x)
        n += prev
    return n


# ---------------------------------------------------------------- names that are no builtins


# associativity: unknown
# symmetry: fails|unknown
def folded__parameter(xs: list[int], min=lambda a, b: a // 2 + b // 3):
    s = 0
    for x in xs:
        s = min(s, x)
    return s


# associativity: fails|unknown
# symmetry: fails|unknown
def folded__local(xs: list[int]):
    def max(a, b):
        return a // 2 + b // 3

    s = 0
    for x in xs:
        s = max(s, x)
    return s


# associativity: fails|unknown
# symmetry: fails|unknown
def folded__lambda(xs: list[int]):
    s = 0
    abs = lambda a: a // 2 + 1  # noqa: E731
    for x in xs:
        s = abs(s * x)
    return s


# associativity: unknown
def added__parameter(xs: list[int], sum):
    return sum(x for x in xs) + len(xs)


# ---------------------------------------------------------------- lengths of items


# associativity: fails|unknown
# symmetry: fails|unknown
def wrapped__texts(words: list[str], width: int):
    lines = 1
    used = 0
    for word in words:
        if used + len(word) > width:
            lines += 1
            used = 0
        used += len(word) + 1
    return lines


# associativity: fails|unknown
# symmetry: fails|unknown
def wrapped__tuples(words: list[tuple[int, ...]], width: int):
    lines = 1
    used = 0
    for word in words:
        if used + len(word) > width:
            lines += 1
            used = 0
        used += len(word) + 1
    return lines


# associativity: fails|unknown
# symmetry: fails|unknown
def wrapped__lists(words: list[list[int]], width: int):
    lines = 1
    used = 0
    for i in range(len(words)):
        if used + len(words[i]) > width:
            lines += 1
            used = 0
        used += len(words[i]) + 1
    return lines


# associativity: fails|unknown
# symmetry: fails|unknown
def wrapped__split(text: str, width: int):
    lines = 1
    used = 0
    for word in text.split():
        if used + len(word) > width:
            lines += 1
            used = 0
        used += len(word) + 1
    return lines


# associativity: holds proof
# symmetry: holds
# redundancy: fails|unknown
# associativity: holds "n + len(words[t])"
def letters__loop(words: list[str]):
    n = 0
    for word in words:
        n += len(word)
    return n


# associativity: holds proof
# symmetry: holds|unknown
# redundancy: fails|unknown
def letters__generator(words: list[str]):
    return sum(len(word) for word in words)


# associativity: holds proof
# symmetry: fails|unknown
def decayed__lengths(words: list[str]):
    n = 0.0
    for word in words:
        n = 0.5 * n + len(word)
    return n


# ---------------------------------------------------------------- lists that grow while walked


# associativity: unknown
# symmetry: unknown
def grows__append(xs: list[int]):
    s = 0
    for x in xs:
        s += x
        if s > 10:
            xs.append(-s)
    return s


# associativity: unknown
# symmetry: unknown
def grows__enumerated(xs: list[int]):
    s = 0
    for _, x in enumerate(xs):
        s += x
        if s > 10:
            xs.insert(0, s)
    return s


# associativity: unknown
# symmetry: unknown
def grows__pop(xs: list[int]):
    s = 0
    for x in xs:
        s += x
        if s > 10:
            xs.pop()
    return s


# associativity: unknown
# symmetry: unknown
def grows__deleted(xs: list[int]):
    s = 0
    for x in xs:
        s += x
        if s > 10:
            del xs[-1]
    return s


# associativity: unknown
# symmetry: unknown
def grows__other_name(xs: list[int]):
    s = 0
    ys = xs
    for x in xs:
        s += x
        if s > 10:
            ys.append(-s)
    return s


# associativity: unknown
# symmetry: unknown
def grows__joined(xs: list[int]):
    s = 0
    for x in xs:
        s += x
        if s > 10:
            xs += [-s]
    return s


# associativity: unknown
# symmetry: unknown
def grows__attribute(self):
    s = 0
    for x in self.items:
        s += x
        self.items.append(s)
    return s


# associativity: holds
# symmetry: holds
def grows__copy(xs: list[int]):
    s = 0
    for x in list(xs):
        s += x
        xs.append(s)
    return s


# ---------------------------------------------------------------- loops that end early


# associativity: unknown
def larger__returned(xs: list[int]):
    m = 0
    for x in xs:
        if x > m + 5:
            return False
        m = max(m, x)
    return True


# associativity: holds
def larger__flag(xs: list[int]):
    m = 0
    ok = True
    for x in xs:
        if x > m + 5:
            ok = False
        m = max(m, x)
    return ok


# associativity: unknown
def larger__broken_off(xs: list[int]):
    m = 0
    ok = True
    for x in xs:
        if x > m + 5:
            ok = False
            break
        m = max(m, x)
    return ok


# ---------------------------------------------------------------- states among few values


# associativity: unknown
def among_few__remainder(xs: list[int]):
    s = 0
    for x in xs:
        s = (s * 5 + x) % 64
        if s > 31:
            s = s * s
    return s


# associativity: unknown|holds
def among_few__clipped(xs: list[int]):
    s = 0
    for x in xs:
        s = s + (x & 1) if s < 3 else 0
    return s


# associativity: unknown
def among_few__two(xs: list[int]):
    p = 1
    q = 2
    for x in xs:
        p, q = (p * q + x) % 97, p
    return p


# associativity: unknown
def among_few__given(xs: list[int], s: int):
    for x in xs:
        s = (s * s + x) % 1009
    return s


# associativity: fails
def among_many__fractions(xs: list[float]):
    s = 0.0
    for x in xs:
        s = (s * 5 + x) % 64
        if s > 31:
            s = s * s
    return s


# associativity: fails
def among_many__reset(xs: list[int]):
    s = 0
    for x in xs:
        s = s + x if s < 3 else 0
    return s


# associativity: fails
def among_many__squares(xs: list[int]):
    s = 0
    for x in xs:
        s = s * s + x % 7
    return s
