# may: ASC106 safe scope=has_negative
def has_negative(balances: list[float]) -> bool:
    found = False
    for balance in balances:
        if balance < 0:
            found = True
            break
    return found


def cases(rng):
    yield "has_negative", ([],), {}
    yield "has_negative", ([1.0, 2.0],), {}
    yield "has_negative", ([1.0, -2.0, 5.0],), {}
