# refuse: ASC106 of equal values the loop keeps the last, and the view is not walked from its end
def largest(values: dict[str, float]):
    found = 0
    for value in values.values():
        found = max(value, found)
    return found


def cases(rng):
    yield "largest", ({"a": 0.0, "b": -1.0},), {}
    yield "largest", ({},), {}
