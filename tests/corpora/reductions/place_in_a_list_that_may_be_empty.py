# expect: ASC106 safe scope=hottest
def hottest(temperatures: list[float]) -> int:
    day = 0
    for i in range(1, len(temperatures)):
        if temperatures[i] > temperatures[day]:
            day = i
    return day


def cases(rng):
    for n in (0, 1, 2, 31):
        yield "hottest", (rng.standard_normal(n).round(1).tolist(),), {}
