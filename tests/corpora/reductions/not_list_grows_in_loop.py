# refuse: the list that is summed grows during the loop
def reachable(edges, start):
    order = [start]
    weight = 0
    for node in order:
        weight += node
        for neighbour in edges.get(node, ()):
            if neighbour not in order:
                order.append(neighbour)
    return weight


def cases(rng):
    yield "reachable", ({1: [2, 3], 2: [4], 3: [4]}, 1), {}
