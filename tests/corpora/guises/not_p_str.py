# refuse: text, put together from the other side


def p_str(xs: list[str]):
    pre = [""]
    for v in xs:
        pre.append(v + pre[-1])
    return pre


def cases(rng):
    yield "p_str", (["a", "b"],), {}
