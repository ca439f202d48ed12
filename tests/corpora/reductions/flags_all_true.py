# expect: ASC106 safe scope=ready


def ready(flags: list[bool]) -> bool:
    ok = True
    for flag in flags:
        if not flag:
            ok = False
            break
    return ok


def cases(rng):
    for flags in ([], [True], [True, False, True]):
        yield "ready", (flags,), {}
