"""Runs worlds and checks in CPython, as the published evaluation does.

Reads jobs from standard input, one JSON value a line: a world (id, class,
source) or a case (id, world, state, checks, calls). Writes one line for each
case: what every call returned or raised, the state after it where it changed,
and what every check said before the calls and after them.

The clock is virtual and moves one second with each call, as in Gauntlet, so
that output which holds the time can be compared. Entropy is real: what differs
between two runs of this script is not compared.
"""

import copy
import datetime
import json
import math
import os
import signal
import sys
import time

SECONDS = 20  # for one call or one check

out = sys.stdout
sys.stdout = open(os.devnull, "w")


class Clock:
    now = 0.0


def virtual_clock():
    """Makes the time modules read Clock.now."""
    localtime, gmtime, strftime, ctime, asctime = time.localtime, time.gmtime, time.strftime, time.ctime, time.asctime
    time.time = lambda: Clock.now
    time.time_ns = lambda: int(Clock.now) * 10**9
    time.localtime = lambda s=None: localtime(Clock.now if s is None else s)
    time.gmtime = lambda s=None: gmtime(Clock.now if s is None else s)
    time.ctime = lambda s=None: ctime(Clock.now if s is None else s)
    time.strftime = lambda f, *t: strftime(f, *(t or (localtime(Clock.now),)))
    time.asctime = lambda *t: asctime(*(t or (localtime(Clock.now),)))

    real = datetime.datetime

    class Meta(type):
        def __instancecheck__(cls, x):
            return isinstance(x, real)

    # The name is the one that messages and repr show for the real class.
    # today() needs nothing: it reads time.time.
    datetime.datetime = Meta("datetime.datetime", (real,), {
        "now": classmethod(lambda cls, tz=None: cls.fromtimestamp(Clock.now, tz)),
        "utcnow": classmethod(lambda cls: cls.utcfromtimestamp(Clock.now)),
    })


class OutOfTime(Exception):
    pass


def alarm(*_):
    raise OutOfTime("more than %d s" % SECONDS)


def limited(f):
    """Calls f; the result is (True, value) or (False, "Type: message")."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return True, f()
    except Exception as e:
        message = str(e)
        return False, type(e).__name__ + (": " + message if message else "")
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def plain(x):
    """The JSON form of a value, by the rules of Gauntlet's state dump."""
    if x is None or isinstance(x, (bool, int, str)):
        return x
    if isinstance(x, float):
        if math.isnan(x):
            return "NaN"
        if math.isinf(x):
            return "Infinity" if x > 0 else "-Infinity"
        return x
    if isinstance(x, dict):
        return {key(k): plain(v) for k, v in x.items()}
    if isinstance(x, (list, tuple, set, frozenset, range)):
        return [plain(v) for v in x]
    if isinstance(x, (datetime.date, datetime.time)):
        return x.isoformat()
    return str(x)


def key(k):
    if isinstance(k, str):
        return k
    if k is None or isinstance(k, bool):
        return {None: "null", True: "true", False: "false"}[k]
    return str(k)


def dump(state):
    return json.dumps(plain(state))


def state_of(obj):
    return {k: v for k, v in vars(obj).items() if not (k.startswith("__") and k.endswith("__"))}


def construct(cls, state):
    config = copy.deepcopy(state)
    try:
        obj = cls(config if config else {})
    except TypeError:
        obj = cls()
    for k, v in config.items():
        setattr(obj, k, v)
    return obj


def run_checks(checks, initial, final):
    results = []
    initial, final = copy.deepcopy(initial), copy.deepcopy(final)
    for code in checks:
        def one():
            names = {"initial_state": initial}
            exec(code, names)
            if "check" in names:
                return names["check"](initial, final)
            return names["check_func"](final)
        ok, value = limited(one)
        if ok and not isinstance(value, bool):
            value = "the check returned a %s, not a bool" % type(value).__name__
        results.append(value)
    return results


def run_case(cls, case, start):
    Clock.now = start
    obj = construct(cls, case["state"])
    initial = copy.deepcopy(state_of(obj))
    answer = {"case": case["case"], "initial": run_checks(case["checks"], initial, initial), "calls": []}
    before = None
    for call in case["calls"]:
        if call["fresh"]:
            Clock.now = start
            obj = construct(cls, case["state"])
            before = dump(state_of(obj))
        Clock.now += 1
        ok, text = limited(lambda: str(getattr(obj, call["tool"])(**copy.deepcopy(call["arguments"]))))
        after = dump(state_of(obj))
        answer["calls"].append({"ok": ok, "text": text, "state": json.loads(after) if after != before else None})
        before = after
    answer["final"] = run_checks(case["checks"], initial, state_of(obj))
    return answer


def main():
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, alarm)
    virtual_clock()
    start = float(sys.argv[1])
    classes = {}
    for line in sys.stdin:
        job = json.loads(line)
        if "source" in job:
            names = {"__name__": job["world"]}
            exec(compile(job["source"], job["world"] + ".py", "exec"), names)
            classes[job["world"]] = names[job["class"]]
            continue
        try:
            answer = run_case(classes[job["world"]], job, start)
        except Exception as e:
            answer = {"case": job["case"], "error": type(e).__name__ + ": " + str(e)}
        out.write(json.dumps(answer) + "\n")
        out.flush()


main()
