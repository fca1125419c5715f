import CPostgres

/// The rows of a statement, in the server's binary form; freed when released.
final class PostgresRows {
    private let result: OpaquePointer

    /// Takes a result over from the client library.
    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    /// The number of rows.
    var count: Int { Int(PQntuples(result)) }

    /// What the statement did, in the server's word: `COMMIT`, `UPDATE 1`.
    var tag: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

    /// The number of rows that the statement changed.
    var changed: Int {
        PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// Whether a value is NULL.
    func isNull(_ row: Int, _ column: Int) -> Bool {
        PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    /// A value's bytes, valid as long as the rows are; nil for NULL.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        guard !isNull(row, column) else { return nil }
        let count = Int(PQgetlength(result, Int32(row), Int32(column)))
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)), count: count)
    }

    /// A value that is a text; nil for NULL.
    func text(_ row: Int, _ column: Int) -> [UInt8]? { bytes(row, column).map { [UInt8]($0) } }

    /// A value that is a truth value.
    func isTrue(_ row: Int, _ column: Int) -> Bool { bytes(row, column)?.first == 1 }

    /// A field of an error's report; nil where it has none.
    func field(_ code: UInt8) -> String? {
        PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
    }
}
