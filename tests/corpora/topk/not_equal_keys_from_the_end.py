# refuse: ASC110 of words of one length the sort has the last ones at its end
# may: RED505 any scope=next_longest


def next_longest(words):
    return sorted(words, key=len)[-2]


def cases(rng):
    yield "next_longest", (["ab", "c", "de", "fg"],), {}
