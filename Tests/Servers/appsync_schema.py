"""The schema that Amplify's transformer makes of models: types, pages, inputs and operations."""

COMPARABLE = {"ID", "String", "Int", "Float", "Boolean"}
STAMPS = {"createdAt": "AWSDateTime!", "updatedAt": "AWSDateTime!"}
OWN = {"_version": "Int!", "_deleted": "Boolean", "_lastChangedAt": "AWSTimestamp!"}


def base(kind):
    return kind.strip("[]!")


class Description:
    """Models and custom types, as a test describes them.

    models: NAME: {fields: {NAME: TYPE}, key: [NAME], one: {FIELD: MODEL}, many: {FIELD: MODEL},
    plural: NAME, without: [OPERATION]}; types: NAME: {FIELD: TYPE}.
    """

    def __init__(self, settings):
        self.models = settings["models"]
        self.types = settings.get("types", {})
        self.is_versioned = settings.get("mode", "none") != "none"
        self.has_mutations = settings.get("mutations", True)
        for model in self.models.values():
            model.setdefault("key", ["id"])

    def names(self, model):
        plural = self.models[model].get("plural", model + "s")
        names = {act: act + model for act in ("get", "create", "update", "delete")}
        return {**names, "list": "list" + plural, "sync": "sync" + plural}

    def has(self, model, act):
        return act not in self.models[model].get("without", [])

    def columns(self, model):
        own = OWN if self.is_versioned else {}
        return {**self.models[model]["fields"], **STAMPS, **own}

    def text(self):
        parts = ["scalar AWSDateTime", "scalar AWSTimestamp", "scalar AWSJSON"]
        parts.append("enum ModelAttributeTypes { binary bool list map number string _null }")
        for kind in sorted(COMPARABLE):
            parts.append(
                f"input Model{kind}Input {{ eq: {kind} ne: {kind} attributeExists: Boolean "
                "attributeType: ModelAttributeTypes }"
            )
        for name, fields in self.types.items():
            parts.append(block("type", name, fields))
            parts.append(block("input", name + "Input", self.inputs(fields)))
        for name in self.models:
            parts += self.model(name)
        parts.append(block("type", "Query", self.queries()))
        if self.has_mutations:
            parts.append(block("type", "Mutation", self.mutations()))
        return "\n\n".join(parts) + "\n"

    def inputs(self, fields):
        def named(kind):
            own = base(kind)
            return kind.replace(own, own + "Input") if own in self.types else kind

        return {name: named(kind) for name, kind in fields.items()}

    def model(self, name):
        model = self.models[name]
        fields = dict(self.columns(name))
        for field, other in model.get("one", {}).items():
            fields[field] = other
        for field, other in model.get("many", {}).items():
            fields[f"{field}(limit: Int, nextToken: String)"] = f"Model{other}Connection"
        version = {"_version": "Int"} if self.is_versioned else {}
        written = self.inputs(model["fields"])
        optional = {n: k if n in model["key"] else k.rstrip("!") for n, k in written.items()}
        keys = {n: written[n].rstrip("!") + "!" for n in model["key"]}
        conditions = {
            n: f"Model{base(k) if base(k) in COMPARABLE else 'String'}Input"
            for n, k in {**model["fields"], **STAMPS}.items()
            if n not in model["key"] and base(k) not in self.types
        }
        own = f"Model{name}ConditionInput"
        conditions |= {"and": f"[{own}]", "or": f"[{own}]", "not": own}
        page = {"items": f"[{name}]!", "nextToken": "String"}
        if self.is_versioned:
            page["startedAt"] = "AWSTimestamp"
        return [
            block("type", name, fields),
            block("type", f"Model{name}Connection", page),
            block("input", f"Create{name}Input", {**written, **version}),
            block("input", f"Update{name}Input", {**optional, **keys, **version}),
            block("input", f"Delete{name}Input", {**keys, **version}),
            block("input", own, conditions),
        ]

    def queries(self):
        fields = {}
        for name, model in self.models.items():
            names = self.names(name)
            key = ", ".join(f"{n}: {model['fields'][n].rstrip('!')}!" for n in model["key"])
            if self.has(name, "get"):
                fields[f"{names['get']}({key})"] = name
            if self.has(name, "list"):
                fields[f"{names['list']}(limit: Int, nextToken: String)"] = f"Model{name}Connection"
            if self.is_versioned and self.has(name, "sync"):
                arguments = "limit: Int, nextToken: String, lastSync: AWSTimestamp"
                fields[f"{names['sync']}({arguments})"] = f"Model{name}Connection"
        return fields

    def mutations(self):
        fields = {}
        for name in self.models:
            for act in ("create", "update", "delete"):
                if not self.has(name, act):
                    continue
                arguments = (
                    f"input: {act.capitalize()}{name}Input!, condition: Model{name}ConditionInput"
                )
                fields[f"{self.names(name)[act]}({arguments})"] = name
        return fields


def block(kind, name, fields):
    lines = "".join(f"  {field}: {type}\n" for field, type in fields.items())
    return f"{kind} {name} {{\n{lines}}}"
