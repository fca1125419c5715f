package import MooringModel

/// What a demo holds, for the command to print.
package struct DemoSummary: Hashable, Sendable {
    /// Findings of one sort that the first audit makes.
    package struct Planted: Hashable, Sendable {
        /// The kind.
        package let kind: FindingKind
        /// The cause; nil for kinds that have none.
        package let cause: FindingCause?
        /// The verdict at the moment the demo is made.
        package let verdict: Verdict
        /// How many.
        package var count: Int
    }

    /// The folder that was written, as it was named.
    package let directory: String
    /// Records in the database, over all tables.
    package let records: Int
    /// Objects in the folder, without the one in quarantine.
    package let files: Int
    /// Their bytes.
    package let bytes: Int64
    /// Objects that lie in quarantine from the start.
    package let quarantined: Int
    /// The planted faults, in the order of the catalogue.
    package let planted: [Planted]
}

extension DemoSummary {
    /// The summary for a terminal: what was written, what is wrong with it, and what to run next.
    package var text: String {
        let rows = planted.map { planted in
            "  " + Self.padded(String(planted.count), to: 3)
                + Self.padded(planted.kind.rawValue, to: 20)
                + Self.padded(planted.cause?.rawValue ?? "", to: 14) + planted.verdict.rawValue
        }
        return """
            A small app: \(records) records in app.sqlite, \(files) files in files/.
            Planted, for the audit to find:
            \(rows.joined(separator: "\n"))
            README.md tells the story of each. Next: cd \(shellWord(directory)) && mooring audit

            """
    }

    /// The summary as one JSON value.
    package var json: JSONValue {
        .members([
            "directory": .string(directory), "records": .integer(Int64(records)),
            "files": .integer(Int64(files)), "bytes": .integer(bytes),
            "quarantined": .integer(Int64(quarantined)),
            "planted": .array(
                planted.map { planted in
                    .members([
                        "kind": .string(planted.kind.rawValue),
                        "cause": .text(planted.cause?.rawValue),
                        "verdict": .string(planted.verdict.rawValue),
                        "count": .integer(Int64(planted.count)),
                    ])
                }),
        ])
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }

    // A name with anything but plain characters stands in quotes, so that the line can be pasted.
    private func shellWord(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "/._-".utf8.contains(byte)
        }
        if plain, text.utf8.first != UInt8(ascii: "-") { return text }
        let visible = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }
        let escaped = String(String.UnicodeScalarView(visible)).split(
            separator: "'", omittingEmptySubsequences: false)
        return "'" + escaped.joined(separator: "'\\''") + "'"
    }
}
