import MooringModel

/// What stands around the results of a SARIF file: the tool with its rules, and how the run ended.
struct SARIFLog {
    /// Everything up to the first result.
    let head: String

    /// Everything behind the last result.
    static let tail = "\n]}]}\n"

    /// The log of a run whose findings are of these kinds.
    init(_ summary: RunSummary, kinds: Set<FindingKind>) {
        let driver = JSONValue.members([
            "name": .string("Mooring"), "version": .string(summary.programVersion),
            "rules": .array(FindingKind.reportOrder.filter(kinds.contains).map(Self.rule)),
        ])
        let details = JSONValue.members(["id": .string("mooring/\(summary.id.text)")])
        head =
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
            + "\"runs\":[{\n\"tool\":"
            + Self.text(.members(["driver": driver])) + ",\n\"automationDetails\":"
            + Self.text(details) + ",\n\"invocations\":"
            + Self.text(.array([Self.invocation(summary)]))
            + ",\n\"columnKind\":\"utf16CodeUnits\",\n\"results\":["
    }

    /// A path as a relative reference, or as a URI where it begins at the root.
    static func uri(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        let encoded = path.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }

    private static func rule(_ kind: FindingKind) -> JSONValue {
        .members([
            "id": .string(kind.rawValue),
            "shortDescription": .members(["text": .string(kind.meaning)]),
            "fullDescription": .members(["text": .string("\(kind.meaning) \(kind.advice)")]),
            "help": .members([
                "text": .string(
                    "\(kind.advice) 'mooring explain KEY' tells a finding's whole story.")
            ]),
            "defaultConfiguration": .members(["level": .string(kind.severity.rawValue)]),
            "properties": .members([
                "problem.severity": .string(
                    kind.severity == .note ? "recommendation" : kind.severity.rawValue),
                "precision": .string("very-high"), "tags": .texts(["mooring"]),
            ]),
        ])
    }

    private static func invocation(_ summary: RunSummary) -> JSONValue {
        let isSuccess = summary.isCompleteScan
        let reason = summary.reason ?? "the run ended as \(summary.status.rawValue)"
        let shown = ShownBytes(active: ["[", "]", "{", "}"], limit: 4_096)
        let notification = JSONValue.members([
            "level": .string("error"),
            "message": .members(["text": .string(shown.text(reason))]),
        ])
        return .members([
            "executionSuccessful": .bool(isSuccess), "startTimeUtc": .moment(summary.startedAt),
            "endTimeUtc": .moment(summary.finishedAt),
            "toolExecutionNotifications": isSuccess ? nil : .array([notification]),
        ])
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: value.rendered, as: UTF8.self)
    }
}
