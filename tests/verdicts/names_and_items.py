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
