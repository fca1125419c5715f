import GRDB

/// Reads values that somebody may have written by hand: no other storage class ends the program.
enum Stored {
    /// A whole number; nil of anything else.
    static func integer(_ value: DatabaseValue) -> Int64? { Int64.fromDatabaseValue(value) }
    /// A text; empty where it is none.
    static func text(_ value: DatabaseValue) -> String { textIfAny(value) ?? "" }
    /// A text; nil of anything else.
    static func textIfAny(_ value: DatabaseValue) -> String? { String.fromDatabaseValue(value) }
    /// Bytes; none of anything else.
    static func bytes(_ value: DatabaseValue) -> [UInt8] { bytesIfAny(value) ?? [] }
    /// Bytes; nil of anything else.
    static func bytesIfAny(_ value: DatabaseValue) -> [UInt8]? {
        Blob.fromDatabaseValue(value)?.bytes
    }
}
