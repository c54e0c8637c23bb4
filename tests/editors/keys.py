"""Types into a program on a terminal of its own, as a person does.

keys.py STEP... -- PROGRAM ARGUMENT...
  wait:PATTERN   until the screen shows it
  keys:TEXT      types it; Python's escapes

Ends with the program's status and prints what it showed; 97 when a pattern never came, 98 when it did not end.
Steps that are left when the program has ended are passed over.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PATIENCE = 15.0
PAUSE = 0.15
ESCAPES = re.compile(rb"\x1b(\[[0-9;?>=]*[a-zA-Z]|[()][A-Z0-9]|\][^\x07]*\x07|[=>78M])")


class Terminal:
    def __init__(self, program):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execvp(program[0], program)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
        self.shown = b""
        self.seen = 0
        self.ended = False

    def look(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return
        try:
            more = os.read(self.master, 65536)
        except OSError:
            more = b""
        self.ended = self.ended or not more
        self.shown += more

    def text(self, start=0):
        return ESCAPES.sub(b"", self.shown[start:]).decode("utf-8", "replace")

    def wait(self, pattern):
        limit = time.monotonic() + PATIENCE
        while not self.ended and time.monotonic() < limit:
            if re.search(pattern, self.text(self.seen)):
                return True
            self.look(0.2)
        return self.ended

    def type(self, keys):
        time.sleep(PAUSE)
        self.seen = len(self.shown)
        try:
            os.write(self.master, keys)
        except OSError:
            self.ended = True

    def end(self):
        limit = time.monotonic() + PATIENCE
        while not self.ended and time.monotonic() < limit:
            self.look(0.2)
        if not self.ended:
            os.kill(self.pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return status if self.ended else 98


def main(arguments):
    split = arguments.index("--")
    terminal = Terminal(arguments[split + 1 :])
    status = None
    for step in arguments[:split]:
        kind, _, what = step.partition(":")
        if kind == "keys":
            terminal.type(what.encode().decode("unicode_escape").encode())
        elif not terminal.wait(what):
            print(f"{what} never came")
            os.kill(terminal.pid, signal.SIGKILL)
            status = 97
            break
    ended = terminal.end()
    print(terminal.text())
    return ended if status is None else status


sys.exit(main(sys.argv[1:]))
