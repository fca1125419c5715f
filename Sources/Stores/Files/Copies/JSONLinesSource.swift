package import MooringModel
import MooringText

/// A file of JSON lines that holds a copy of a table, one object a line; gzip is inflated.
///
/// All models of the source read this one file, so it answers under whatever table is asked for.
/// An attribute that a line lacks is absent, which is no problem: there is no fixed set of them.
package struct JSONLinesSource: CopySource {
    /// The source's name in the configuration.
    package let name: String
    /// How the configuration spells the kind.
    package let kind = "jsonl"
    private let file: CopyFile
    private let tables: [String]

    /// A copy of the named tables in a file; `taken` is when it was made, by default when the
    /// file was written.
    package init(name: String, file: String, tables: [String], taken: Instant? = nil) {
        self.name = name
        self.file = CopyFile(path: file, taken: taken)
        self.tables = tables
    }

    /// That a copy serves no repair.
    package var refusal: StoreError { file.refusal(source: name) }

    /// Reads the file once for all tables that are asked for; a row that cannot be read is a
    /// problem with its line.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        var problems = ProblemList()
        guard let (source, window) = file.open(&problems) else { return file.unopened(problems) }
        let reader = LineReader(TextBuffer(source))
        var gathering = gathering(scope)
        while fill(&gathering, reader, &problems) {
            for batch in gathering.takeBatches() { try await receive(batch) }
        }
        for batch in gathering.takeBatches() { try await receive(batch) }
        return file.finish(source, window, &problems)
    }

    private func gathering(_ scope: RecordScope) -> any AttributeGathering {
        switch scope {
        case .columns(let wanted): ChosenAttributes(wanted)
        case .all: AllAttributes(table: tables.first ?? name)
        }
    }

    // Whether a batch is full; false at the end of the file.
    private func fill(
        _ gathering: inout any AttributeGathering, _ reader: LineReader,
        _ problems: inout ProblemList
    ) -> Bool {
        var json = JSONObjectReader()
        while !gathering.isFull {
            switch reader.next() {
            case .end: return false
            case .problem(let line, let reason): problems.add(file.problem(line, reason))
            case .line(let line, let isEnded):
                let fault: RowFault? = reader.withBytes { bytes in
                    if JSONText.isBlank(bytes) { return nil }
                    do throws(RowFault) {
                        try json.read(bytes)
                        try gathering.add(json.members, bytes)
                        return nil
                    } catch {
                        return error
                    }
                }
                if let fault {
                    problems.add(file.problem(line, fault.text(isEnded: isEnded)))
                }
            }
        }
        return true
    }
}
