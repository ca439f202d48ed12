# refuse: stops reading a shared iterator in the middle; the caller reads the rest
def header_length(lines):
    size = 0
    for line in lines:
        if not line:
            break
        size += len(line)
    return size


def read(text):
    lines = iter(text.split("\n"))
    return header_length(lines), list(lines)


def cases(rng):
    yield "read", ("from: a\nto: bb\n\nbody\nmore",), {}
