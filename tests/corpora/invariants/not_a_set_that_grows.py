# refuse: RED501 the list grows, is walked before the loop, or only as far as it takes


def grown(words, stop):
    found = []
    for word in words:
        stop.append(word)
        if word + word in set(stop):
            found.append(word)
    return found


def once(words, stop):
    found = []
    for word in sorted(stop):
        found.append(word)
    return found


def as_far(words, rest):
    return [any(word == other for other in rest) for word in words]


def cases(rng):
    yield "grown", (["a", "aa"], ["b"]), {}
    yield "once", ([], ["b", "a"]), {}
    yield "as_far", (["a", "c"], ["a", "b", "c"]), {}
