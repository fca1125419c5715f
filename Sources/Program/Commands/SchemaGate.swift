import MooringConfiguration
import MooringModel
import MooringReporting
import MooringSchema

/// The gate of `check --schema`: every field of the schema that may hold keys is mapped.
struct SchemaGate {
    /// What the run's summary keeps of it.
    let answer: RunSummary.Gate
    /// What is told beside the gate: each field that is missing, then notes.
    let lines: [String]

    /// The most fields and the most notes that are told; the rest are only counted.
    static let mostLines = 50

    /// Compares a schema with the configuration. Throws what the schema is refused for.
    init(schema path: String, exceptions: [String], _ configuration: Configuration) throws {
        let schema = try AmplifySchema.load(path: path)
        let coverage = SchemaCoverage(
            schema: schema, records: configuration.records, exceptions: exceptions)
        let gaps = coverage.gaps
        answer = RunSummary.Gate(
            gate: "schema.unmapped == 0", value: Int64(gaps.count), passed: gaps.isEmpty)
        let file = VisibleText.ascii(path)
        let missing = gaps.map { gap in
            let place = gap.field.place
            let file = place.file.map { VisibleText.ascii($0) } ?? file
            return "\(file):\(place.line):\(place.column): \(gap.field.name) \(gap.message); "
                + "--except \(gap.field.name) lets it pass"
        }
        lines =
            Self.bounded(missing, "fields")
            + Self.bounded(coverage.notes.map { "note: " + $0 }, "notes")
    }

    private static func bounded(_ lines: [String], _ what: String) -> [String] {
        guard lines.count > mostLines else { return lines }
        return lines.prefix(mostLines) + ["and \(lines.count - mostLines) more \(what)"]
    }
}
