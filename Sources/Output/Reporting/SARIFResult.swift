import MooringModel

/// One result of a SARIF file.
struct SARIFResult {
    /// The rule that it breaks.
    let kind: FindingKind
    /// How grave it is.
    let level: Severity
    /// What is told; its first sentence is what lists show.
    let message: String
    /// The line of the configuration that it points to.
    let line: ConfigurationPlaces.Line
    /// What is the same in every run, and tells it from every other result.
    let fingerprint: String
    /// What programs may want to know beside it.
    let properties: JSONValue

    /// The result as the file holds it; `file` is the configuration's.
    func json(file: String) -> JSONValue {
        let region = JSONValue.members([
            "startLine": .whole(line.number), "startColumn": .integer(1),
            "endLine": .whole(line.number), "endColumn": .whole(line.length + 1),
        ])
        let location = JSONValue.members([
            "physicalLocation": .members([
                "artifactLocation": .members(["uri": .string(SARIFLog.uri(file))]),
                "region": region,
            ])
        ])
        return .members([
            "ruleId": .string(kind.rawValue), "level": .string(level.rawValue),
            "message": .members(["text": .string(message)]),
            "locations": .array([location]),
            "partialFingerprints": .members(["primaryLocationLineHash": .string(fingerprint)]),
            "properties": properties,
        ])
    }
}
