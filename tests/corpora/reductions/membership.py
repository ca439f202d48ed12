# expect: ASC106 safe scope=known


def known(names: list[str], name: str) -> bool:
    for each in names:
        if each == name:
            return True
    return False


def cases(rng):
    yield "known", (["a", "b"], "b"), {}
    yield "known", ([], "b"), {}
