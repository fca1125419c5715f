extension AmplifySchema {
    /// Reads a file or a folder: GraphQL, all GraphQL files of a folder, or the description of the
    /// models in an `amplify_outputs.json`.
    ///
    /// Throws a `SchemaError` when it cannot be read, holds no schema, or does not parse.
    package static func load(path: String) throws -> AmplifySchema {
        if SchemaFolder.isFolder(path) {
            return try read(SchemaFolder.document(path))
        }
        let bytes = try SchemaError.bytes(
            of: path, limit: SchemaDocument.sizeLimit, kind: "schema")
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        let form: ProjectParser.Form? =
            path.hasSuffix(".dart")
            ? .dart
            : path.hasSuffix(".js") || path.hasSuffix(".ts")
                ? .script
                : path.hasSuffix(".json") || first == UInt8(ascii: "{") ? .json : nil
        guard let form else { return try parse(bytes, file: path) }
        let root = try ProjectParser.parse(bytes, file: path, form: form)
        return try read(Introspection.document(root, file: path))
    }
}

/// A schema that is kept in several files of a folder, as Amplify allows.
enum SchemaFolder {
    /// The most files of a schema, and how deep folders in it may lie.
    static let fileLimit = 500
    static let depthLimit = 8

    /// Whether there is a folder at a path.
    static func isFolder(_ path: String) -> Bool {
        // Not being one, for whatever reason, is an answer here.
        (try? ProjectFolder(path: path)) != nil
    }

    /// The definitions of all files that end in `.graphql`, in the order of their paths; of an
    /// API's own folder only what the app's developer wrote there. Throws a refusal without any
    /// such file, or when all of them together are over 4 MiB.
    static func document(_ path: String) throws -> SchemaDocument {
        let folder = try ProjectFolder(path: path)
        var definitions: [SchemaDefinition] = []
        var size = 0
        let files = files(in: folder)
        for file in files {
            guard case .content(let bytes) = try folder.read(file) else { continue }
            size += bytes.count
            guard size <= SchemaDocument.sizeLimit else {
                throw SchemaError(
                    file: path, message: "over 4 MiB of schemas, which no app needs")
            }
            definitions += try SchemaDocument.parse(bytes, file: folder.named(file), isPart: true)
                .definitions
        }
        guard !files.isEmpty else {
            throw SchemaError(file: path, message: "no file in this folder ends in .graphql")
        }
        return SchemaDocument(file: path, definitions: definitions)
    }

    private static func files(in folder: ProjectFolder) -> [String] {
        let top = folder.entries("")
        if top.contains("schema.graphql") { return ["schema.graphql"] }
        var files: [String] = []
        collect(top.contains("schema") ? "schema/" : "", 0, folder, &files)
        return files
    }

    private static func collect(
        _ head: String, _ depth: Int, _ folder: ProjectFolder, _ files: inout [String]
    ) {
        for name in folder.entries(head) where files.count < fileLimit {
            let path = head + name
            if name.hasSuffix(".graphql") {
                files.append(path)
            } else if depth < depthLimit, !ProjectFolder.isOther(name), folder.isFolder(path) {
                collect(path + "/", depth + 1, folder, &files)
            }
        }
    }
}
