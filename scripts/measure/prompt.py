#!/usr/bin/env python3
"""What a user waits for at the prompt: the clock, and the processor time, of each command on an R-MAT graph.

usage: scripts/measure/prompt.py build/lockstep SCALE [BACKEND]

The commands are piped, so each line includes about 20 ms in which the program waits for what may belong to it."""
import os
import subprocess
import sys
import time

COMMANDS = """g = gen.rmat{scale = %s, degree = 8, seed = 1};
g.roff:min();
r = scc(g);
r
c = components(g);
c
d = bfs(g, g.to[0]);
d
check(r)
check(c)
check(d)
start scc.forward_backward(g)
step
step
until live and live < 100
back 3
forward 3
drop"""

program, scale = sys.argv[1:3]
backend = sys.argv[3] if len(sys.argv) > 3 else "cpu"
lockstep = subprocess.Popen([program, "--backend", backend], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, bufsize=1)


def processor_time():
    with open("/proc/%d/stat" % lockstep.pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


print("%9s %9s  command" % ("clock s", "cpu s"))
for i, command in enumerate((COMMANDS % scale).splitlines()):
    end = "end of command %d" % i
    began, cpu = time.time(), processor_time()
    lockstep.stdin.write('%s\nprint("%s")\n' % (command, end))
    lockstep.stdin.flush()
    first = None
    for line in lockstep.stdout:
        if end in line:
            break
        first = first or line.rstrip()
    else:
        sys.exit("the program has ended at: " + command)
    print("%9.3f %9.2f  %-32s %s" % (time.time() - began, processor_time() - cpu, command, first or ""), flush=True)
