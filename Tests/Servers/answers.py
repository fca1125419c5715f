"""Whether an HTTP server of this machine answers: answers.py PORT PATH; any status will do."""

import http.client
import sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=2)
try:
    connection.request("GET", sys.argv[2])
    connection.getresponse().read()
except (OSError, http.client.HTTPException):
    sys.exit(1)
