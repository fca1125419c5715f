#!/usr/bin/env python3
"""One Spark session that runs the programs which `submit` hands it, one after the other.

usage: session.py SOCKET MASTER [NAME=VALUE…]
Prints `ready` when it listens. `submit` is what mooring calls in place of spark-submit; the socket's
path stands in MOORING_SPARK_SESSION there. A line `end` from it ends the session.
"""

import contextlib
import io
import os
import socket
import sys
import traceback

from pyspark.sql import SparkSession


def run(path):
    """The program's output and whether it failed; what it says of an error goes to our stderr."""
    output = io.StringIO()
    with open(path, encoding="ascii") as file:
        program = compile(file.read(), path, "exec")
    try:
        with contextlib.redirect_stdout(output):
            exec(program, {"__name__": "__main__"})  # pylint: disable=exec-used
        return output.getvalue(), 0
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
        return output.getvalue(), 1


def main():
    where, master = sys.argv[1], sys.argv[2]
    builder = SparkSession.builder.appName("mooring").master(master)
    for setting in sys.argv[3:]:
        name, value = setting.split("=", 1)
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    stop = SparkSession.stop
    # A program stops its session when it is done; this one goes on.
    SparkSession.stop = lambda self: None
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(where)
        server.listen(4)
        print("ready", flush=True)
        while True:
            with server.accept()[0] as client:
                path = client.makefile(encoding="utf-8").readline().rstrip("\n")
                if path == "end":
                    break
                output, status = run(path)
                # Whoever asked may be gone.
                with contextlib.suppress(BrokenPipeError):
                    client.sendall(f"{output}status {status}\n".encode())
    os.unlink(where)
    stop(session)


if __name__ == "__main__":
    main()
