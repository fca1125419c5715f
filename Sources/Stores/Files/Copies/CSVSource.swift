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
    /// A file that is scanned once more tells the same.
    package let replaysByScan = true
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
        try await readAhead(CSVReading(file, tables.first ?? name, scope)) { batches in
            for batch in batches { try await receive(batch) }
        }
    }
}

/// The columns of one table among the fields of a file; nil is one that it does not have.
private struct CSVSelection {
    let target: TableColumns
    let indices: [Int?]
}

/// Reads a file of rows, for several tables at once.
private actor CSVReading: FileReading {
    private let file: CopyFile
    private let table: String
    private let scope: RecordScope
    private var problems = ProblemList()
    private var open: (source: ByteSource, window: ScanWindow)?
    private var rows: (reader: CSVReader, header: CSVHeader)?
    private var slabs = RowSlabs([])

    // So many full slabs are handed over at once.
    private static let slabsAhead = 4

    /// A reading that has not begun; `table` is the name under which everything is read.
    init(_ file: CopyFile, _ table: String, _ scope: RecordScope) {
        (self.file, self.table, self.scope) = (file, table, scope)
    }

    /// Opens the file and reads its header.
    func begin() {
        open = file.open(&problems)
        guard let open else { return }
        let reader = CSVReader(TextBuffer(open.source))
        guard let header = CSVHeader(reader, file, &problems) else { return }
        rows = (reader, header)
        slabs = RowSlabs(selections(scope, header, &problems))
    }

    /// The next batches; none at the end.
    func next() -> [RecordBatch] {
        guard let (reader, header) = rows else { return [] }
        var batches: [RecordBatch] = []
        for _ in 0..<Self.slabsAhead {
            let isFull = fill(&slabs, header, reader, &problems)
            batches += slabs.takeBatches()
            if !isFull {
                rows = nil
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

    private func selections(
        _ scope: RecordScope, _ header: CSVHeader, _ problems: inout ProblemList
    ) -> [CSVSelection] {
        guard case .columns(let wanted) = scope else {
            let target = TableColumns(table: table, columns: header.names.map(\.label))
            return [CSVSelection(target: target, indices: Array(header.names.indices))]
        }
        var missing: Set<String> = []
        return wanted.map { table in
            let indices = table.columns.map { header.index(of: $0) }
            for (column, index) in zip(table.columns, indices)
            where index == nil && missing.insert(column).inserted {
                problems.add(file.problem(1, "the header names no column \"\(column)\""))
            }
            return CSVSelection(target: table, indices: indices)
        }
    }

    // Whether the slabs are full; false at the end of the file.
    private func fill(
        _ slabs: inout RowSlabs, _ header: CSVHeader, _ reader: CSVReader,
        _ problems: inout ProblemList
    ) -> Bool {
        func add(_ row: CSVReader.Row) {
            if row.fields.count == header.count { return slabs.append(row) }
            if let mismatch = header.mismatch(row) {
                problems.add(file.problem(row.line, mismatch))
            }
        }
        return reader.read(add) { line, reason in
            problems.add(file.problem(line, reason))
        } while: {
            !slabs.isFull
        }
    }
}

/// Fills a slab for each of several tables that are read from one file.
private struct RowSlabs {
    private let targets: [TableColumns]
    // The fields of all tables, one table's behind the other's; -1 is a column that the file does
    // not have. Nothing in these counts references.
    private let fields: [Int]
    private let ends: [Int]
    private var slabs: [RowSlab]

    private static let rowLimit = 4_000
    private static let byteLimit = 4 << 20
    private static let room = 1 << 20

    init(_ selections: [CSVSelection]) {
        targets = selections.map(\.target)
        fields = selections.flatMap { $0.indices.map { $0 ?? -1 } }
        ends = selections.reduce(into: []) { $0.append(($0.last ?? 0) + $1.indices.count) }
        slabs = selections.map { RowSlab(width: $0.indices.count) }
    }

    // Counted here: to ask a slab in its array would count its buffers as used, for every row.
    private var count = 0
    private var weight = 0

    // Without a table nothing is handed over, and all is read at once.
    var isFull: Bool { !ends.isEmpty && (count >= Self.rowLimit || weight >= Self.byteLimit) }

    /// Appends a row to the slab of each table.
    mutating func append(_ row: CSVReader.Row) {
        count += 1
        var place = 0
        fields.withUnsafeBufferPointer { fields in
            for number in slabs.indices {
                let columns = place..<ends[number]
                weight += Self.append(row, fields, columns, to: &slabs[number])
                place = columns.upperBound
            }
        }
    }

    // Gives the row's weight in bytes.
    private static func append(
        _ row: CSVReader.Row, _ fields: UnsafeBufferPointer<Int>, _ columns: Range<Int>,
        to slab: inout RowSlab
    ) -> Int {
        var weight = columns.count * MemoryLayout<SlabCell>.stride
        if let range = together(row, fields, columns) {
            let text = UnsafeBufferPointer(rebasing: row.bytes[range])
            slab.append(text, cells: columns.count) { number in
                cell(row, fields[columns.lowerBound + number], in: range)
            }
            weight += range.count
        } else {
            for column in columns { weight += append(row, fields[column], to: &slab) }
        }
        slab.endRow()
        return weight
    }

    // The part of a row that holds all fields of a table, where it is copied faster than they are;
    // nil where much stands between them, or one stands there otherwise than it is read.
    private static func together(
        _ row: CSVReader.Row, _ fields: UnsafeBufferPointer<Int>, _ columns: Range<Int>
    ) -> Range<Int>? {
        var (start, end, length) = (Int.max, 0, 0)
        for column in columns where fields[column] >= 0 {
            let field = row.fields[fields[column]]
            if field.hasDoubledQuotes { return nil }
            start = min(start, field.start)
            end = max(end, field.end)
            length += field.end - field.start
        }
        return length > 0 && end - start <= 2 * length ? start..<end : nil
    }

    // A field that stands as it is read in a part of its row.
    private static func cell(
        _ row: CSVReader.Row, _ index: Int, in range: Range<Int>
    ) -> (kind: SlabCell.Kind, range: Range<Int>) {
        guard index >= 0 else { return (.absent, 0..<0) }
        let field = row.fields[index]
        if isNull(field) { return (.null, 0..<0) }
        return (.text, field.start - range.lowerBound..<field.end - range.lowerBound)
    }

    private static func isNull(_ field: CSVReader.Field) -> Bool {
        field.start == field.end && !field.isQuoted
    }

    // An empty field is NULL, an empty quoted one an empty text; a column that the file does not
    // have is absent.
    private static func append(
        _ row: CSVReader.Row, _ index: Int, to slab: inout RowSlab
    ) -> Int {
        guard index >= 0 else {
            slab.append(.absent)
            return 0
        }
        let field = row.fields[index]
        if field.hasDoubledQuotes {
            row.bytes(field).withUnsafeBufferPointer { slab.append(.text, $0) }
        } else {
            slab.append(isNull(field) ? .null : .text, row.raw(field))
        }
        return field.end - field.start
    }

    mutating func takeBatches() -> [RecordBatch] {
        (count, weight) = (0, 0)
        return targets.indices.compactMap { place in
            let width = targets[place].columns.count
            var slab = RowSlab(width: width)
            slab.reserve(rows: Self.rowLimit, bytes: Self.room)
            swap(&slab, &slabs[place])
            guard slab.count > 0 else { return nil }
            return RecordBatch(
                table: targets[place].table, columns: targets[place].columns, slab: slab)
        }
    }
}
