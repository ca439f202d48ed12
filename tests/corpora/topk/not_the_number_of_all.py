# refuse: ASC110 as many places are walked as the list has
def waiting(times, n):
    jobs = []
    for i in range(n):
        jobs.append(times[i])
    jobs.sort()
    total = 0
    for i in range(n):
        total += jobs[i] * (n - i)
    return total


def cases(rng):
    for n in (1, 2, 9):
        yield "waiting", ([int(v) for v in rng.integers(0, 9, n)], n), {}
