# expect: RED510 advice scope=visitors


def visitors(log):
    # a rough count will do: the number is rounded on the page
    return len(set(entry["user"] for entry in log)), len(set(log_keys(log)))


def log_keys(log):
    return [key for entry in log for key in entry]


def cases(rng):
    yield "visitors", ([{"user": 1}, {"user": 2}, {"user": 1}],), {}
