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
        switch scope {
        case .columns(let wanted):
            try await read(ChosenAttributes(wanted), receive)
        case .all:
            try await read(AllAttributes(table: tables.first ?? name), receive)
        }
    }

    private func read(
        _ gathering: some AttributeGathering, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await readAhead(JSONLinesReading(file, gathering)) { batches in
            for batch in batches { try await receive(batch) }
        }
    }
}

/// Reads a file of lines, for several tables at once.
private actor JSONLinesReading<Gathering: AttributeGathering>: FileReading {
    private let file: CopyFile
    private var gathering: Gathering
    private var json = JSONObjectReader()
    private var problems = ProblemList()
    private var open: (source: ByteSource, window: ScanWindow)?
    private var lines: LineReader?

    // So many times a full batch is handed over at once.
    private static var batchesAhead: Int { 4 }

    /// A reading that has not begun.
    init(_ file: CopyFile, _ gathering: Gathering) {
        (self.file, self.gathering) = (file, gathering)
    }

    /// Opens the file.
    func begin() {
        open = file.open(&problems)
        lines = open.map { LineReader(TextBuffer($0.source)) }
    }

    /// The next batches; none at the end.
    func next() -> [RecordBatch] {
        guard let reader = lines else { return [] }
        var batches: [RecordBatch] = []
        for _ in 0..<Self.batchesAhead {
            let isFull = Self.fill(&gathering, &json, reader, file, &problems)
            batches += gathering.takeBatches()
            if !isFull {
                lines = nil
                break
            }
        }
        return batches
    }

    /// The result, when there are no batches any more.
    func finish() -> ScanResult {
        guard let open else { return file.unopened(problems) }
        return file.finish(open.source, open.window, &problems)
    }

    // Whether a batch is full; false at the end of the file.
    private static func fill(
        _ gathering: inout Gathering, _ json: inout JSONObjectReader, _ reader: LineReader,
        _ file: CopyFile, _ problems: inout ProblemList
    ) -> Bool {
        while !gathering.isFull {
            switch reader.next() {
            case .end: return false
            case .problem(let line, let reason): problems.add(file.problem(line, reason))
            case .line(let line, let isEnded):
                let fault: RowFault? = reader.withBytes { bytes in
                    if JSONText.isBlank(bytes) { return nil }
                    do throws(RowFault) {
                        try json.read(bytes)
                        try gathering.add(json, bytes)
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
