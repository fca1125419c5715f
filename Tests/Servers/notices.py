"""Takes POSTs, and keeps each as a line of JSON in DATA/posts.jsonl.

usage: notices.py DATA PORT, with standardwebhooks installed.

The first part of a path says who is asked: `flaky` refuses each second POST, `broken` refuses all,
`signed` takes what `standardwebhooks` verifies with the secret that the tests know.
"""

import http.server
import json
import pathlib
import sys
import threading

from standardwebhooks import Webhook, WebhookVerificationError

POSTS = pathlib.Path(sys.argv[1]) / "posts.jsonl"
SECRET = "whsec_bW9vcmluZyB0ZXN0cyBrbm93IHRoaXMgc2VjcmV0"
LOCK = threading.Lock()
SEEN = {}


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        kind = self.path.split("/")[1]
        with LOCK:
            SEEN[self.path] = SEEN.get(self.path, 0) + 1
            status = self.verdict(kind, body, SEEN[self.path])
            line = {
                "path": self.path, "status": status, "body": body.decode("utf-8"),
                "headers": {name.lower(): value for name, value in self.headers.items()}}
            with POSTS.open("a", encoding="utf-8") as posts:
                posts.write(json.dumps(line) + "\n")
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def verdict(self, kind, body, times):
        if kind == "broken" or (kind == "flaky" and times % 2 == 1):
            return 503
        if kind == "gone":
            return 404
        if kind == "signed":
            try:
                Webhook(SECRET).verify(body, dict(self.headers))
            except WebhookVerificationError:
                return 401
        return 200

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Receiver).serve_forever()
