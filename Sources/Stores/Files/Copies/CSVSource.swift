package import MooringModel

/// A CSV file (RFC 4180, with a header) that holds a copy of a table; gzip is inflated.
///
/// All models of the source read this one file, so it answers under whatever table is asked for.
/// An empty field is NULL, an empty quoted one an empty text, and everything else a text.
package struct CSVSource: CopySource {
    /// The source's name in the configuration.
    package let name: String
    /// How the configuration spells the kind.
    package let kind = "csv"
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
        let reader = CSVReader(TextBuffer(source))
        if let header = CSVHeader(reader, file, &problems) {
            let selections = selections(scope, header, &problems)
            var collector = RowCollector(selections.map(\.target))
            while fill(&collector, selections, header, reader, &problems) {
                for batch in collector.takeBatches() { try await receive(batch) }
            }
            for batch in collector.takeBatches() { try await receive(batch) }
        }
        return file.finish(source, window, &problems)
    }

    private struct Selection {
        let target: RowCollector.Target
        let indices: [Int?]
    }

    private func selections(
        _ scope: RecordScope, _ header: CSVHeader, _ problems: inout ProblemList
    ) -> [Selection] {
        guard case .columns(let wanted) = scope else {
            let target = RowCollector.Target(
                table: tables.first ?? name, columns: header.names.map(\.label))
            return [Selection(target: target, indices: Array(header.names.indices))]
        }
        var missing: Set<String> = []
        return wanted.map { table in
            let indices = table.columns.map { header.index(of: $0) }
            for (column, index) in zip(table.columns, indices)
            where index == nil && missing.insert(column).inserted {
                problems.add(file.problem(1, "the header names no column \"\(column)\""))
            }
            let target = RowCollector.Target(table: table.table, columns: table.columns)
            return Selection(target: target, indices: indices)
        }
    }

    // Whether the collector is full; false at the end of the file.
    private func fill(
        _ collector: inout RowCollector, _ selections: [Selection], _ header: CSVHeader,
        _ reader: CSVReader, _ problems: inout ProblemList
    ) -> Bool {
        while !collector.isFull {
            switch reader.next() {
            case .end: return false
            case .problem(let line, let reason): problems.add(file.problem(line, reason))
            case .row(let line):
                if header.skips(reader) { continue }
                if let mismatch = header.mismatch(reader) {
                    problems.add(file.problem(line, mismatch))
                    continue
                }
                for (place, selection) in selections.enumerated() {
                    let row = selection.indices.map { index in
                        index.map { value($0, reader) } ?? .absent
                    }
                    collector.add(row, at: place)
                }
            }
        }
        return true
    }

    private func value(_ index: Int, _ reader: CSVReader) -> FieldValue {
        let bytes = reader.bytes(index)
        return bytes.isEmpty && !reader.isQuoted(index) ? .null : .text(bytes)
    }
}
