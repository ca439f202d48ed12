# expect: RED501 unsafe scope=kept
# expect: RED501 unsafe scope=others
# expect: RED501 safe scope=stated
# expect: RED501 safe scope=measured


def kept(lines, stop):
    found = []
    for line in lines:
        for word in line.split():
            if word not in set(stop):
                found.append(word)
    return found


def others(words, stop):
    return [word for word in words if word not in set(stop)]


def stated(words: list, stop: list):
    found = []
    for word in words:
        if word not in frozenset(stop):
            found.append(word)
    return found


def measured(places, xs):
    found = []
    for place in places:
        found.append(sorted(xs)[place % len(xs)])
    return found


def cases(rng):
    yield "kept", (["a b", "c a"], ["a"]), {}
    yield "others", (["a", "b"], ("a",)), {}
    yield "stated", (["a", "b"], ["a"]), {}
    yield "measured", ([0, 2, 5], [3, 1, 2]), {}
