# expect: ASC110 safe scope=leaders


def leaders(scores: list[tuple[int, str]]):
    best = []
    for entry in scores:
        best = sorted(best + [entry], key=lambda e: e[0], reverse=True)[:3]
    return best


def cases(rng):
    yield "leaders", ([(1, "a"), (3, "b"), (3, "c"), (2, "d"), (3, "e")],), {}
    yield "leaders", ([],), {}
