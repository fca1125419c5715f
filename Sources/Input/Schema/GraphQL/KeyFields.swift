/// Finds the fields that may hold keys, by their types and by their names.
struct KeyFields {
    /// The schema's types.
    let types: SchemaTypes

    // What a key is a key of, where it is none of a file.
    private static let otherKeys: Set<String> = [
        "access", "api", "cache", "composite", "encryption", "foreign", "hash", "idempotency",
        "license", "lookup", "partition", "primary", "private", "public", "range", "search",
        "secret", "session", "signing", "sort", "translation", "unique",
    ]
    // What names a file, so that a path of it, or a key in one word with it, is one.
    private static let fileWords: Set<String> = [
        "art", "artwork", "asset", "attachment", "audio", "avatar", "background", "banner", "cover",
        "document", "file", "icon", "image", "img", "logo", "media", "object", "pdf", "photo",
        "pic", "picture", "recording", "s3", "scan", "screenshot", "song", "storage", "thumb",
        "thumbnail", "track", "upload", "video",
    ]
    private static let otherScalars: Set<String> = [
        "Int", "Float", "Boolean", "AWSDate", "AWSTime", "AWSDateTime", "AWSTimestamp", "AWSEmail",
        "AWSPhone", "AWSIPAddress", "AWSURL",
    ]

    /// The fields of an object type that may hold keys; the columns given hold identifiers and do
    /// not.
    func fields(
        of object: SchemaObject, except columns: Set<String>
    ) -> [AmplifySchema.KeyField] {
        object.fields.compactMap { field in
            guard !columns.contains(field.name), let basis = basis(field, object) else {
                return nil
            }
            return AmplifySchema.KeyField(
                type: object.name, field: field.name, place: field.place,
                isList: field.type.isList, basis: basis, remarks: remarks(field))
        }
    }

    /// The fields that may hold keys in types that are no models, but are values of a model's
    /// fields, or of theirs.
    func embedded() -> [AmplifySchema.KeyField] {
        var reached: Set<String> = []
        var open = types.objects.filter(\.isModel)
        while let object = open.popLast() {
            for field in object.fields {
                guard let inner = types[field.type.base], !inner.isModel,
                    !isComplexObject(inner), reached.insert(inner.name).inserted
                else { continue }
                open.append(inner)
            }
        }
        return types.objects.filter { reached.contains($0.name) }
            .flatMap { fields(of: $0, except: []) }.filter(\.isLikely)
    }

    /// The most ways into the values of one model, and how many types deep they lead.
    private static let routeLimit = 200, depthLimit = 4

    /// The likely fields inside a model's values, with the paths that name them; a path leads
    /// through one list at most.
    func nested(in model: SchemaObject) -> [AmplifySchema.NestedKey] {
        var found: [AmplifySchema.NestedKey] = []
        var open = [Route(object: model, path: "", hasList: false, types: [model.name])]
        while !open.isEmpty, found.count < Self.routeLimit {
            let route = open.removeFirst()
            for field in route.object.fields {
                guard let inner = types[field.type.base], !inner.isModel, !isComplexObject(inner),
                    route.types.count <= Self.depthLimit, !route.types.contains(inner.name),
                    !(field.type.isList && route.hasList), open.count < Self.routeLimit
                else { continue }
                let next = Route(
                    object: inner,
                    path: route.path + field.name + (field.type.isList ? "[]." : "."),
                    hasList: route.hasList || field.type.isList,
                    types: route.types + [inner.name])
                open.append(next)
                found += fields(of: inner, except: []).filter {
                    $0.isLikely && !($0.isList && next.hasList)
                }.map { AmplifySchema.NestedKey(key: $0, path: next.path + $0.field) }
            }
        }
        return found
    }

    private struct Route {
        let object: SchemaObject
        let path: String
        let hasList: Bool
        let types: [String]
    }

    private func basis(
        _ field: SchemaField, _ object: SchemaObject
    ) -> AmplifySchema.KeyField.Basis? {
        let type = field.type.base
        if let inner = types[type] {
            let isObject = !inner.isModel && isComplexObject(inner)
            return isObject ? .complexObject(type: inner.name) : nil
        }
        if type == "S3Object" { return .complexObject(type: type) }
        guard !Self.otherScalars.contains(type), !types.enums.contains(type) else { return nil }
        switch Self.reading(of: field.name) {
        case .file: return .name
        case .bare: return object.field("bucket") == nil ? .bareName : .name
        case .other: return nil
        }
    }

    private func isComplexObject(_ object: SchemaObject) -> Bool {
        object.name == "S3Object"
            || ["bucket", "key", "region"].allSatisfy { object.field($0) != nil }
    }

    private func remarks(_ field: SchemaField) -> [String] {
        var remarks: [String] = []
        if field.type.base == "AWSJSON" {
            remarks.append("its type AWSJSON does not tell its form: list and complex may be wrong")
        }
        if field.directive("auth") != nil {
            remarks.append("its own @auth is not read: visibility is that of the whole record")
        }
        return remarks
    }

    // MARK: Names

    /// What a field's name says of its values.
    enum Reading: Hashable, Sendable {
        /// Keys of files.
        case file
        /// Keys, of files or of anything else.
        case bare
        /// Something else.
        case other
    }

    /// What a name says: one that ends in a word for keys is a file's, unless the word before says
    /// that it is the key of something else.
    static func reading(of name: String) -> Reading {
        let words = words(of: name)
        guard let last = words.last else { return .other }
        let rest = words.dropLast()
        if last == "key" || last == "keys" {
            guard let before = rest.last else { return .bare }
            return otherKeys.contains(before) ? .other : .file
        }
        if last == "path" || last == "paths" {
            return rest.contains(where: isFileWord) ? .file : .other
        }
        for ending in ["keys", "key"] where last.hasSuffix(ending) {
            return isFileWord(String(last.dropLast(ending.count))) ? .file : .other
        }
        return .other
    }

    private static func isFileWord(_ word: String) -> Bool {
        fileWords.contains(word)
            || (word.last == "s" && fileWords.contains(String(word.dropLast())))
    }

    // The words of coverArtKey, cover_art_key and coverArtKEY, in lower case.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var wasUpper = true
        for character in name {
            guard character != "_" else {
                words.append("")
                continue
            }
            if words.isEmpty || (character.isUppercase && !wasUpper) { words.append("") }
            words[words.count - 1] += character.lowercased()
            wasUpper = character.isUppercase
        }
        return words.filter { !$0.isEmpty }
    }
}
