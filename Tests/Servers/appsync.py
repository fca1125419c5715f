"""APIs of GraphQL as AppSync and Amplify make them, for tests, all in one process.

    appsync.py PORT

Each API lies at /NAME/graphql. /control/NAME makes one, from a description of its models, and
/control/NAME/rows, /faults, /log and /token load rows, inject faults, tell what was asked, and
give tokens. Schemas are built as Amplify builds them, and queries are validated and executed by
graphql-core.

What it does not promise: AppSync's own limits, subscriptions, filters, DynamoDB's eventual
consistency other than by a fault.
"""

import base64
import hashlib
import hmac
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import graphql
from graphql import GraphQLError

from appsync_schema import Description

APIS = {}
SECRET = b"a secret of the test server's own"


class APIError(GraphQLError):
    """An error of a resolver, with AppSync's word for its kind."""

    def __init__(self, kind, message="refused", data=None):
        super().__init__(message, extensions={"errorType": kind, "data": data})


class API:
    """One API: its schema, rows, faults and log."""

    def __init__(self, settings):
        self.description = Description(settings)
        self.mode = settings.get("mode", "none")
        self.auth = settings.get("auth", {})
        self.introspection = settings.get("introspection", True)
        self.delay = settings.get("delay", 0)
        self.rows = {name: {} for name in self.description.models}
        self.before = {name: {} for name in self.description.models}
        self.faults = []
        self.log = []
        self.now = None
        self.lock = threading.RLock()
        self.schema = graphql.build_schema(self.description.text())
        for fields, resolvers in (
            (self.schema.query_type, self.queries()),
            (self.schema.mutation_type, self.mutations()),
        ):
            for name, resolve in resolvers.items():
                if fields and name in fields.fields:
                    fields.fields[name].resolve = resolve

    def key(self, model, values):
        return tuple(values[name] for name in self.description.models[model]["key"])

    def queries(self):
        found = {}
        for model in self.description.models:
            names = self.description.names(model)
            found[names["get"]] = lambda _, info, model=model, **key: self.get(model, key)
            for kind in ("list", "sync"):
                found[names[kind]] = lambda _, info, model=model, **a: self.page(model, **a)
        return found

    def mutations(self):
        found = {}
        for model in self.description.models:
            names = self.description.names(model)
            for act in ("create", "update", "delete"):
                found[names[act]] = lambda _, info, input, condition=None, act=act, model=model: (
                    self.write(act, model, input, condition)
                )
        return found

    # Reading

    def get(self, model, key):
        key = self.key(model, key)
        if self.fault("stale"):
            return self.before[model].get(key)
        return self.rows[model].get(key)

    def page(self, model, limit=100, nextToken=None, **_):
        start = int(base64.b64decode(nextToken)) if nextToken else 0
        rows = list(self.rows[model].values())[start : start + limit]
        end = start + len(rows)
        token = base64.b64encode(str(end).encode()).decode()
        if self.fault("repeat"):
            token = nextToken or token
        elif end >= len(self.rows[model]):
            token = None
        return {"items": rows, "nextToken": token, "startedAt": int(time.time() * 1000)}

    # Writing

    # As behind a proxy that sends again what it got no answer to.
    def write(self, act, model, values, condition):
        if self.fault("twice"):
            getattr(self, act)(model, dict(values), condition)
        return getattr(self, act)(model, values, condition)

    def create(self, model, values, condition):
        key = self.key(model, values)
        if key in self.rows[model]:
            raise APIError("DynamoDB:ConditionalCheckFailedException")
        return self.put(model, key, dict(values), 1)

    def update(self, model, values, condition):
        key = self.key(model, values)
        row = self.found(model, key, values, condition)
        if self.mode == "none":
            return self.put(model, key, {**row, **values}, 0)
        changes = {n: v for n, v in values.items() if n != "_version"}
        if values.get("_version") != row["_version"]:
            changes = self.merged(row, changes)
        return self.put(model, key, {**row, **changes}, row["_version"] + 1)

    def delete(self, model, values, condition):
        key = self.key(model, values)
        row = self.found(model, key, values, condition)
        if self.mode == "none":
            self.before[model][key] = row
            return self.rows[model].pop(key)
        if values.get("_version") != row["_version"]:
            self.merged(row, {})
        mark = {"_deleted": True, "_ttl": int(time.time()) + 2592000}
        return self.put(model, key, {**row, **mark}, row["_version"] + 1)

    def found(self, model, key, values, condition):
        row = self.rows[model].get(key)
        # Of an older version AppSync's handlers decide, whatever the condition says.
        is_old = self.mode != "none" and row and values.get("_version") != row["_version"]
        if row is None or not (is_old or holds(condition, row)):
            raise APIError("DynamoDB:ConditionalCheckFailedException")
        return row

    # As AppSync's handlers do: a list is joined, a value stays the server's unless that is null.
    def merged(self, row, changes):
        if self.mode in ("optimistic", "lambda-reject"):
            raise APIError("ConflictUnhandled", "Conflict resolver rejects mutation.", row)
        merged = {}
        for name, value in changes.items():
            own = row.get(name)
            if own is None:
                merged[name] = value
            elif isinstance(own, list) and isinstance(value, list):
                merged[name] = own + value
            else:
                merged[name] = own
        return merged

    def put(self, model, key, row, version):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        if key not in self.rows[model]:
            row.setdefault("createdAt", stamp)
        row["updatedAt"] = stamp
        if self.mode != "none":
            row["_version"] = version
            row["_lastChangedAt"] = int(time.time() * 1000)
        if key in self.rows[model]:
            self.before[model][key] = self.rows[model][key]
        self.rows[model][key] = row
        return row

    def load(self, model, values):
        """A row as it lies in the table."""
        row = {"createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z"}
        row |= values
        if self.mode != "none":
            row.setdefault("_version", 1)
            row.setdefault("_lastChangedAt", int(time.time() * 1000))
        self.rows[model][self.key(model, row)] = row

    # Faults

    def fault(self, kind):
        """The next fault of a kind for the operation under way; None where there is none."""
        for fault in self.faults:
            if fault["kind"] != kind or fault.get("on", self.now) != self.now:
                continue
            if fault.get("after", 0) > 0:
                fault["after"] -= 1
                continue
            fault["times"] = fault.get("times", 1 << 30) - 1
            if fault["times"] <= 0:
                self.faults.remove(fault)
            return fault
        return None

    def execute(self, request):
        """Status and answer of a request; a status of None closes the connection."""
        try:
            document = graphql.parse(request["query"])
        except GraphQLError:
            return 400, failure("MalformedHttpRequestException")
        operation = document.definitions[0]
        field = operation.selection_set.selections[0]
        self.now = field.name.value
        self.log.append({"name": self.now, "query": request["query"]})
        if self.now == "__schema" and not self.introspection:
            return 200, failure("UnauthorizedException", "introspection is disabled")
        if fault := self.fault("status"):
            return fault["status"], failure(fault.get("type", "InternalFailure"))
        if fault := self.fault("errors"):
            return 200, {"data": {"result": None}, **failure(fault["type"])}
        if fault := self.fault("write"):
            model, values = fault["model"], fault["values"]
            key = self.key(model, values)
            row = self.rows[model].get(key, {})
            self.put(model, key, {**row, **values}, row.get("_version", 0) + 1)
        if fault := self.fault("direct"):
            # A writer past the API moves no version.
            key = self.key(fault["model"], fault["values"])
            self.rows[fault["model"]][key] |= fault["values"]
        if errors := graphql.validate(self.schema, document):
            return 200, {"errors": [invalid(error) for error in errors]}
        done = graphql.graphql_sync(
            self.schema, request["query"], variable_values=request.get("variables")
        )
        answer = {"data": done.data}
        if done.errors:
            answer["errors"] = [told(error) for error in done.errors]
        if self.fault("partial"):
            take_out(answer)
        return (None if self.fault("drop") else 200), answer


def holds(condition, row):
    """Whether a row fulfils a condition, as Amplify's transformer writes it for DynamoDB."""
    for name, test in (condition or {}).items():
        if name == "and":
            if not all(holds(part, row) for part in test):
                return False
        elif name == "or":
            if not any(holds(part, row) for part in test):
                return False
        else:
            for word, value in test.items():
                if word == "eq" and (name not in row or row[name] != value):
                    return False
                if word == "attributeExists" and (name in row) != value:
                    return False
                if word == "attributeType" and not (value == "_null" and row.get(name, 0) is None):
                    return False
    return True


def failure(kind, message="refused"):
    return {"errors": [{"errorType": kind, "message": message}]}


def told(error):
    extensions = error.extensions or {}
    return {
        "path": error.path,
        "data": extensions.get("data"),
        "errorType": extensions.get("errorType", "MappingTemplate"),
        "message": error.message,
    }


def invalid(error):
    words = {"Cannot query field": "FieldUndefined", "Unknown argument": "UnknownArgument"}
    kind = next((w for start, w in words.items() if error.message.startswith(start)), "WrongType")
    return {"path": None, "message": f"Validation error of type {kind}: {error.message}"}


def take_out(answer):
    """Leaves the first record of a page out, as when a resolver of it failed."""
    items = ((answer.get("data") or {}).get("result") or {}).get("items")
    if items:
        items[0] = None
        answer["errors"] = [{"errorType": "Unauthorized", "path": ["result", "items", 0]}]


# Who asks


def token(seconds):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = {"sub": "tester", "exp": time.time() + seconds, "jti": time.time_ns()}
    head = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}"
    return f"{head}.{hmac.new(SECRET, head.encode(), hashlib.sha256).hexdigest()}"


def is_good_token(text):
    head, _, signature = text.rpartition(".")
    right = hmac.new(SECRET, head.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(signature, right):
        return False
    claims = head.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "==="))["exp"] > time.time()


def is_signed(handler, body, secret):
    """Whether a request bears a signature, version 4, for AppSync by this secret."""
    fields = handler.headers.get("authorization", "")
    if not fields.startswith("AWS4-HMAC-SHA256 "):
        return False
    parts = dict(part.strip().split("=", 1) for part in fields.split(" ", 1)[1].split(","))
    _, day, region, service, end = parts["Credential"].split("/")
    names = parts["SignedHeaders"].split(";")
    headers = "".join(f"{n}:{' '.join(handler.headers.get(n, '').split())}\n" for n in names)
    canonical = "\n".join(
        [handler.command, quote(handler.path), "", headers, parts["SignedHeaders"]]
        + [hashlib.sha256(body).hexdigest()]
    )
    scope = f"{day}/{region}/{service}/{end}"
    text = "\n".join(
        ["AWS4-HMAC-SHA256", handler.headers.get("x-amz-date", ""), scope]
        + [hashlib.sha256(canonical.encode()).hexdigest()]
    )
    key = b"AWS4" + secret.encode()
    for part in (day, region, service, end):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    right = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return service == "appsync" and hmac.compare_digest(right, parts["Signature"])


def is_known(api, handler, body):
    if "apiKey" in api.auth:
        return handler.headers.get("x-api-key") == api.auth["apiKey"]
    if "token" in api.auth:
        return is_good_token(handler.headers.get("authorization", ""))
    if "secret" in api.auth:
        return is_signed(handler, body, api.auth["secret"])
    return True


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = self.path.strip("/").split("/")
        if parts[0] == "control":
            status, document = self.control(parts[1:], json.loads(body) if body else None)
        else:
            status, document = self.ask(parts, body)
        if status is None:
            self.close_connection = True
            return
        text = json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def ask(self, parts, body):
        api = APIS.get(parts[0])
        if api is None or parts[1:] != ["graphql"]:
            return 404, failure("NotFound")
        # As long as an answer of a service far away is under way.
        time.sleep(api.delay)
        with api.lock:
            if not is_known(api, self, body):
                return 401, failure("UnauthorizedException")
            try:
                request = json.loads(body)
            except ValueError:
                return 400, failure("MalformedHttpRequestException")
            return api.execute(request)

    def control(self, parts, document):
        if not parts:
            return 200, {"apis": len(APIS)}
        if len(parts) == 1:
            APIS[parts[0]] = API(document)
            return 200, {"schema": APIS[parts[0]].description.text()}
        api = APIS[parts[0]]
        with api.lock:
            match parts[1]:
                case "rows" if document is None:
                    return 200, list(api.rows[parts[2]].values())
                case "rows":
                    for model, rows in document.items():
                        for row in rows:
                            api.load(model, row)
                case "faults":
                    api.faults += document
                case "log":
                    return 200, api.log
                case "token":
                    return 200, {"token": token(document["seconds"])}
        return 200, {}

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
