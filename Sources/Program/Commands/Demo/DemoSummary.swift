import MooringDecisions
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
    /// Copies of records in the phone's database.
    package let copies: Int
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
        let kinds = FindingKind.allCases.filter { kind in planted.contains { $0.kind == kind } }
        let verdicts = Verdict.allCases.map { verdict in
            "\(count { $0.verdict == verdict }) \(verdict.rawValue)"
        }
        let place = ShellWord.quoting(directory)
        return """
            A small app: \(records) records in app.sqlite, \(files) files in files/, and a phone's
            copy of \(copies) records in phone.sqlite.
            Planted, for the audit to find (\(verdicts.joined(separator: ", "))):
            \(kinds.flatMap(rows).joined(separator: "\n"))
            README.md tells the story of each. Next: cd \(place) && mooring audit

            """
    }

    // One kind: how many, and of which causes; what does not fit in a line goes on below.
    private func rows(of kind: FindingKind) -> [String] {
        let causes = StrategyMatrix.causes(of: kind).compactMap { $0 }.compactMap { cause in
            let count = count { $0.kind == kind && $0.cause == cause }
            return count == 0 ? nil : "\(count) \(cause.rawValue)"
        }
        let margin = String(repeating: " ", count: 25)
        let total = String(count { $0.kind == kind })
        var line =
            Self.padded("", to: 4 - total.utf8.count) + total + " "
            + (causes.isEmpty ? kind.rawValue : Self.padded(kind.rawValue, to: 20))
        var rows: [String] = []
        for (number, cause) in causes.enumerated() {
            let word = cause + (number + 1 < causes.count ? ", " : "")
            if line.utf8.count + word.utf8.count > 79 {
                rows.append(String(line.dropLast()))
                line = margin
            }
            line += word
        }
        return rows + [line]
    }

    private func count(_ isCounted: (Planted) -> Bool) -> Int {
        planted.filter(isCounted).reduce(0) { $0 + $1.count }
    }

    /// The summary as one JSON value.
    package var json: JSONValue {
        .members([
            "directory": .string(directory), "records": .integer(Int64(records)),
            "files": .integer(Int64(files)), "copies": .integer(Int64(copies)),
            "bytes": .integer(bytes),
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
}
