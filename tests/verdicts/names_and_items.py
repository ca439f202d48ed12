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
