import MooringModel

/// Reads one file field's value: a key, a list of keys, or complex objects.
struct FieldReader {
    /// Which of the model's `files` it is.
    let field: Int
    /// How the field is mapped.
    let mapping: FileField

    /// Appends what the value holds to a reading.
    func read(_ value: FieldValue, into reading: inout RecordReading) {
        // An empty text is no key, whatever form the field has.
        guard let bytes = value.bytes, !bytes.isEmpty else { return }
        guard mapping.path.steps.isEmpty else { return readPath(bytes, into: &reading) }
        if mapping.isList || mapping.isComplex {
            guard let node = parsed(bytes) else {
                let form = mapping.isList ? "list" : "object"
                return unusable(bytes, "it is not a JSON \(form)", hides: true, &reading)
            }
            readNode(node, index: nil, source: bytes, into: &reading)
        } else if case .json = value, !KeyRule.isStructured(bytes) {
            // Between its quotes may stand the key of an object that is there.
            if bytes.elementsEqual("null".utf8) || bytes.elementsEqual("\"\"".utf8) { return }
            unusable(bytes, "a JSON value in place of a key", hides: true, &reading)
        } else {
            readKey(bytes, index: nil, bucket: nil, into: &reading)
        }
    }

    private func readPath(_ bytes: [UInt8], into reading: inout RecordReading) {
        guard let node = parsed(bytes), let leaves = PathLeaves.of(node, mapping.path.steps) else {
            return unusable(bytes, "it is no nested value of that form", hides: true, &reading)
        }
        for leaf in leaves {
            readNode(leaf.node, index: leaf.index, source: bytes, into: &reading)
        }
    }

    private func readNode(
        _ node: JSONNode, index: Int?, source: [UInt8], into reading: inout RecordReading
    ) {
        if mapping.isList {
            readList(node, source, into: &reading)
        } else if mapping.isComplex {
            readComplex(node, index: index, source: source, into: &reading)
        } else if let key = node.stringBytes {
            readKey(key, index: index, bucket: nil, into: &reading)
        } else if node.kind != .null {
            unusable(
                Array(source[node.range]), "a value that is not a string", index: index,
                hides: true, &reading)
        }
    }

    private func readList(
        _ node: JSONNode, _ bytes: [UInt8], into reading: inout RecordReading
    ) {
        if node.kind == .null || node.isEmptyText { return }
        guard let elements = node.elements else {
            return unusable(bytes, "it is not a JSON list", hides: true, &reading)
        }
        for (index, element) in elements.enumerated() {
            if element.kind == .null {
                reading.unusable.append(
                    UnusableValue(
                        field: field, index: index, value: [], reason: "a null list element",
                        hidesReferences: false))
            } else if mapping.isComplex {
                readComplex(element, index: index, source: bytes, into: &reading)
            } else if let key = element.stringBytes {
                readKey(key, index: index, bucket: nil, into: &reading)
            } else {
                unusable(
                    Array(bytes[element.range]), "a list element that is not a string",
                    index: index, hides: true, &reading)
            }
        }
    }

    // AppSync stores an S3Object as a string of JSON, with or without a wrapper `s3`; stores with
    // nested values hold the object itself. All mean the same.
    private func readComplex(
        _ node: JSONNode, index: Int?, source: [UInt8], into reading: inout RecordReading
    ) {
        if node.kind == .null || node.isEmptyText { return }
        var object = node
        if let text = node.stringBytes, let inner = parsed(text) { object = inner }
        if let wrapped = object["s3"] { object = wrapped }
        guard let key = object["key"]?.stringBytes else {
            let bytes = index == nil ? source : Array(source[node.range])
            return unusable(bytes, "it holds no key", index: index, hides: true, &reading)
        }
        readKey(key, index: index, bucket: object["bucket"]?.stringBytes, into: &reading)
    }

    private func readKey(
        _ key: [UInt8], index: Int?, bucket: [UInt8]?, into reading: inout RecordReading
    ) {
        guard !key.isEmpty else { return }
        if let reason = mapping.fault(in: key) {
            // What is too short for its layout may be a file's name as it stands.
            let isShort = mapping.stored.fault(in: key) != nil
            reading.unusable.append(
                UnusableValue(
                    field: field, index: index, value: key, reason: reason,
                    hidesReferences: isShort || KeyRule.isStructured(key)))
        }
        // It protects what it may mean all the same.
        reading.references.append(
            StoredReference(field: field, index: index, value: key, bucket: bucket))
    }

    private func parsed(_ bytes: [UInt8]) -> JSONNode? {
        // The error's place is of no use here: the whole value is named as unusable.
        try? JSONNode(parsing: bytes)
    }

    private func unusable(
        _ bytes: [UInt8], _ reason: String, index: Int? = nil, hides: Bool,
        _ reading: inout RecordReading
    ) {
        reading.unusable.append(
            UnusableValue(
                field: field, index: index, value: bytes, reason: reason, hidesReferences: hides))
    }
}

extension JSONNode {
    /// Whether it is a string without any character.
    fileprivate var isEmptyText: Bool { stringBytes?.isEmpty == true }
}

/// The rule of `invalid-key`: what no key may be. An empty text is none either, but nothing that
/// a record would be blamed for: it names no file, as NULL does.
@usableFromInline package enum KeyRule {
    /// S3's longest key, in bytes.
    @inlinable package static var lengthLimit: Int { 1_024 }

    /// What is wrong with a stored key; nil when nothing is.
    package static func fault(in key: [UInt8]) -> String? {
        if key.isEmpty { return "an empty key" }
        if key.count > lengthLimit { return "a key of \(key.count) bytes, over \(lengthLimit)" }
        if key.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "control characters" }
        if key[0] == UInt8(ascii: "/") { return "a leading slash" }
        if isStructured(key) { return "a JSON list or object in place of a key" }
        return nil
    }

    /// Whether a stored key is a JSON list or object, so that the mapping names another form than
    /// the field has and the value may hide references.
    package static func isStructured(_ key: [UInt8]) -> Bool {
        guard key.first == UInt8(ascii: "[") || key.first == UInt8(ascii: "{") else {
            return false
        }
        // A key may begin with a bracket: what is no JSON is a key.
        guard let node = try? JSONNode(parsing: key) else { return false }
        return node.elements != nil || node.members != nil
    }
}
