# expect: RED505 safe scope=newest
# expect: RED505 safe scope=last_of
# expect: RED505 safe scope=with_another
import glob
import os


def newest(folder: str, beginning: str):
    found = glob.glob(os.path.join(folder, beginning + "*"))
    if len(found) == 0:
        return None
    return sorted(found)[-1]


def last_of(folder: str):
    return sorted(os.listdir(folder))[-1]


def with_another(folder: str, name):
    names = os.listdir(folder)
    names.append(name)
    return sorted(names)[-1]


def cases(rng):
    here = os.path.dirname(os.__file__)
    yield "newest", (here, "ab"), {}
    yield "newest", (here, "no such file"), {}
    yield "last_of", (here,), {}
    yield "with_another", (here, "zz"), {}
