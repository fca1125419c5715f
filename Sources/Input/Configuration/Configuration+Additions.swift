import MooringText
import Yams

extension Configuration {
    /// Reads a file as `load` does, as if its models had more file fields: each addition is YAML,
    /// `MODEL: {field: NAME, …}`, and what stands behind the colon is an entry of the model's
    /// `files`. Throws a refusal that names the addition where it is none, or its model is not
    /// configured.
    package static func load(
        path: String, environment: [String: String], adding additions: [String]
    ) throws(ConfigurationError) -> Configuration {
        let text = String(decoding: try contents(of: path), as: UTF8.self)
        var root = try YAMLDocument.root(of: text, file: path)
        for addition in additions {
            try add(addition, to: &root)
        }
        return try read(root, file: path, environment: environment)
    }

    private static func add(
        _ addition: String, to root: inout Node
    ) throws(ConfigurationError) {
        let place = "'\(addition.printable)'"
        let entry = try YAMLDocument.root(of: addition, file: place)
        guard let pair = entry.mapping?.first, entry.mapping?.count == 1,
            let model = pair.key.string, pair.value.mapping != nil
        else {
            throw ConfigurationError(
                file: place, "needs the form 'MODEL: {field: NAME, level: LEVEL}', in YAML")
        }
        var models: [String] = []
        var isAdded = false
        root = changed(root, "records") { source in
            changed(source, "models") { node in
                guard let name = node["model"]?.string else { return node }
                models.append(name)
                guard name == model else { return node }
                isAdded = true
                var node = node
                node["files"] = .sequence(
                    Node.Sequence(Array(node["files"]?.sequence ?? []) + [pair.value]))
                return node
            }
        }
        guard isAdded else {
            throw ConfigurationError(
                file: place, Nearest.unknown("model", model.printable, among: models))
        }
    }

    // The map with each entry of one of its lists changed; as it was where there is no such list.
    private static func changed(_ map: Node, _ key: String, _ change: (Node) -> Node) -> Node {
        guard let list = map[key]?.sequence else { return map }
        var map = map
        map[key] = .sequence(
            Node.Sequence(list.map(change), list.tag, list.style, list.mark))
        return map
    }
}
