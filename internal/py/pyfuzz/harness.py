"""Runs programs for the differential fuzzer.

Reads one JSON object a line from standard input, {"src": text, "trace": bool},
and answers each with one line, {"stdout", "error_type", "error_message",
"lines"}. A program runs as a fresh module named __main__ with its standard
output captured. The types "CompileError" and "Timeout" are ours: the source
does not compile, and the program ran longer than the limit. With trace, lines
counts the executed lines.
"""
import gc
import io
import json
import signal
import sys
import types
import warnings

SECONDS = 5


class Timeout(BaseException):
    pass


def on_alarm(signum, frame):
    raise Timeout()


def text_of(error):
    try:
        return str(error)
    except Exception as inner:
        return "<str failed: %s>" % type(inner).__name__


def run(src, trace):
    answer = {"stdout": "", "error_type": "", "error_message": "", "lines": 0}
    try:
        code = compile(src, "<fuzz>", "exec")
    except (SyntaxError, ValueError) as error:
        answer["error_type"] = "CompileError"
        answer["error_message"] = text_of(error)
        return answer

    def tracer(frame, event, arg):
        if frame.f_code.co_filename != "<fuzz>":
            return None
        if event == "line":
            answer["lines"] += 1
        return tracer

    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = __builtins__
    out, real_out, real_main = io.StringIO(), sys.stdout, sys.modules["__main__"]
    sys.stdout, sys.modules["__main__"] = out, module
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 1)
    try:
        if trace:
            sys.settrace(tracer)
        exec(code, module.__dict__)
    except BaseException as error:
        answer["error_type"] = type(error).__name__
        answer["error_message"] = text_of(error)
    finally:
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
    answer["stdout"] = out.getvalue()
    # What finalisers print now belongs to no program.
    sys.stdout = io.StringIO()
    module.__dict__.clear()
    gc.collect()
    sys.stdout, sys.modules["__main__"] = real_out, real_main
    return answer


def main():
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, on_alarm)
    gc.freeze()  # makes the collection after each program cheap
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(run(request["src"], request.get("trace", False))), flush=True)


main()
