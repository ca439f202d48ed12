# expect: ASC106 safe scope=count_outliers
def count_outliers(readings: list[float], limit: float) -> int:
    count = 0
    for reading in readings:
        if abs(reading) > limit:
            count += 1
    return count


def cases(rng):
    yield "count_outliers", ([], 1.0), {}
    yield "count_outliers", (rng.standard_normal(60).tolist(), 1.0), {}
