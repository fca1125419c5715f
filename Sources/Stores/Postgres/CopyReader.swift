import MooringModel

/// Makes batches of the rows of one binary COPY.
struct CopyReader {
    /// The most rows of a batch.
    static let rowLimit = 1_000
    /// The most bytes of a batch's values, unless a single row is larger.
    static let byteLimit = 4 << 20

    private let table: String
    private let columns: [String]
    private let forms: [ValueForm]
    private var hasBegun = false
    private var hasEnded = false
    /// The failure after which only what came before it is passed on.
    private var failure: PostgresFailure?

    // What every binary COPY begins with: a signature, flags, and the length of an extension.
    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]

    /// A reader of rows with these columns.
    init(table: String, columns: [String], forms: [ValueForm]) {
        self.table = table
        self.columns = columns
        self.forms = forms
    }

    /// The next batch, never an empty one; nil at the end. A failure is thrown only after the rows
    /// before it have been delivered.
    mutating func next(
        _ connection: PostgresConnection
    ) throws(PostgresFailure) -> RecordBatch? {
        var rows = RowSlab(width: forms.count)
        var size = 0
        while failure == nil, !hasEnded, rows.count < Self.rowLimit, size < Self.byteLimit {
            do {
                hasEnded = try !connection.copy { message throws(PostgresFailure) in
                    size += message.count
                    try read(message, &rows)
                }
            } catch {
                failure = error
            }
        }
        guard rows.count == 0 else {
            return RecordBatch(table: table, columns: columns, slab: rows)
        }
        if let failure { throw failure }
        return nil
    }

    /// Reads a message, which holds a row and may begin with the head or be the trailer.
    mutating func read(
        _ message: UnsafeRawBufferPointer, _ rows: inout RowSlab
    ) throws(PostgresFailure) {
        var place = hasBegun ? 0 : try Self.head(message)
        hasBegun = true
        while place < message.count {
            guard message.count - place >= 2 else { throw ValueForm.damaged }
            let count = Int16(
                bigEndian: message.loadUnaligned(fromByteOffset: place, as: Int16.self))
            place += 2
            if count == -1 { return }
            guard Int(count) == forms.count else { throw ValueForm.damaged }
            for form in forms {
                guard message.count - place >= 4 else { throw ValueForm.damaged }
                let length = Int(
                    Int32(bigEndian: message.loadUnaligned(fromByteOffset: place, as: Int32.self)))
                place += 4
                guard length >= 0 else {
                    rows.append(.null)
                    continue
                }
                guard message.count - place >= length else { throw ValueForm.damaged }
                try form.append(message.part(from: place, count: length), to: &rows)
                place += length
            }
            rows.endRow()
        }
    }

    private static func head(_ message: UnsafeRawBufferPointer) throws(PostgresFailure) -> Int {
        let flags = signature.count
        guard message.count >= flags + 8, message.prefix(flags).elementsEqual(signature) else {
            throw ValueForm.damaged
        }
        let extra = Int32(
            bigEndian: message.loadUnaligned(fromByteOffset: flags + 4, as: Int32.self))
        let end = flags + 8 + Int(extra)
        guard extra >= 0, end <= message.count else { throw ValueForm.damaged }
        return end
    }
}
