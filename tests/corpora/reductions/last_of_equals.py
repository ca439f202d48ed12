# expect: ASC106 safe scope=from_a_whole_number
# expect: ASC106 safe scope=by_places
# expect: ASC106 safe scope=of_sizes
# expect: ASC106 safe scope=least
# expect: ASC106 safe scope=of_lengths
"""Of equal values, which may be of several types, a loop keeps the last."""


def from_a_whole_number(values: list[float]):
    largest = 0
    for value in values:
        largest = max(value, largest)
    return largest


def by_places(values: list[float]):
    largest = 0
    for i in range(len(values)):
        largest = max(values[i], largest)
    return largest


def of_sizes(values: list[float]):
    largest = 0
    for value in values:
        largest = max(abs(value), largest)
    return largest


def least(values: list[float]):
    smallest = float("inf")
    for value in values:
        if value <= smallest:
            smallest = value
    return smallest


def of_lengths(words: list[str]):
    longest = 0
    for word in words:
        longest = max(len(word), longest)
    return longest


def cases(rng):
    for values in ([0.0, -1.0], [1.0, 1], [1, 1.0, 0], [-3], [False], [], [2.5, 0.0, 2.5]):
        for name in ("from_a_whole_number", "by_places", "of_sizes", "least"):
            yield name, (values,), {}
    yield "of_lengths", (["a", "", "bc"],), {}
    yield "of_lengths", ([],), {}
