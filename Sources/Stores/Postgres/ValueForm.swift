import MooringModel
import MooringText

/// How a column's values travel in the server's binary form, and what they are as fields.
indirect enum ValueForm: Hashable, Sendable {
    /// Characters; also whatever the query turns into text.
    case text
    /// A whole number of 2, 4 or 8 bytes.
    case integer
    /// An object identifier: four bytes without a sign.
    case number
    /// A floating-point number of 4 or 8 bytes.
    case real
    /// A truth value.
    case bool
    case uuid
    /// Bytes.
    case blob
    /// Microseconds since 2000, shown as ISO 8601 in UTC.
    case timestamp
    /// The same without a zone.
    case localTimestamp
    /// Days since 2000.
    case date
    /// JSON as the app wrote it.
    case json
    /// JSON as the server keeps it.
    case jsonb
    /// A list, as JSON.
    case array(ValueForm)

    /// Whether its values are nested: JSON, or a list.
    var isNested: Bool {
        switch self {
        case .json, .jsonb, .array: true
        default: false
        }
    }

    /// Appends a value to a slab, from the bytes that the server sends for it.
    func append(
        _ bytes: UnsafeRawBufferPointer, to slab: inout RowSlab
    ) throws(PostgresFailure) {
        switch self {
        case .text: slab.append(.text, bytes.bindMemory(to: UInt8.self))
        case .blob: slab.append(.blob, bytes.bindMemory(to: UInt8.self))
        case .json: slab.append(.json, bytes.bindMemory(to: UInt8.self))
        default: slab.append(try value(bytes))
        }
    }

    /// A value from the bytes that the server sends for it.
    func value(_ bytes: UnsafeRawBufferPointer) throws(PostgresFailure) -> FieldValue {
        switch self {
        case .text: return .text([UInt8](bytes))
        case .integer: return .integer(try Self.integer(bytes))
        case .number: return .integer(Int64(UInt32(truncatingIfNeeded: try Self.integer(bytes))))
        case .real: return .real(try Self.real(bytes))
        case .bool:
            guard bytes.count == 1 else { throw Self.damaged }
            return .json(Array((bytes[0] != 0 ? "true" : "false").utf8))
        case .uuid: return .text(try Self.uuid(bytes))
        case .blob: return .blob([UInt8](bytes))
        case .timestamp: return .text(CalendarText.timestamp(try Self.integer(bytes)))
        case .localTimestamp:
            return .text(CalendarText.timestamp(try Self.integer(bytes), isZoned: false))
        case .date:
            guard bytes.count == 4 else { throw Self.damaged }
            return .text(CalendarText.date(try Self.integer(bytes)))
        case .json: return .json([UInt8](bytes))
        case .jsonb: return .json(try Self.compact(bytes))
        case .array(let element):
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            var reader = ArrayReader(bytes, element)
            try reader.write(to: &output)
            return .json(output)
        }
    }

    /// Whether the value can be written back as it is: a list of one dimension that is counted
    /// from 1, in which no JSON null stands for a NULL.
    func isRestorable(_ bytes: UnsafeRawBufferPointer) throws(PostgresFailure) -> Bool {
        guard case .array(let element) = self else { return true }
        var reader = ArrayReader(bytes, element)
        return try reader.isPlain()
    }

    /// What a value that does not have its type's form is.
    static let damaged = PostgresFailure("the server sent a value that is not of its column's form")

    private static func integer(_ bytes: UnsafeRawBufferPointer) throws(PostgresFailure) -> Int64 {
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: throw damaged
        }
    }

    private static func real(_ bytes: UnsafeRawBufferPointer) throws(PostgresFailure) -> Double {
        switch bytes.count {
        case 8:
            return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4:
            let pattern = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
            return Double(Float(bitPattern: pattern))
        default: throw damaged
        }
    }

    private static func uuid(_ bytes: UnsafeRawBufferPointer) throws(PostgresFailure) -> [UInt8] {
        guard bytes.count == 16 else { throw damaged }
        return [UInt8](unsafeUninitializedCapacity: 36) { output, count in
            for (index, byte) in bytes.enumerated() {
                if [4, 6, 8, 10].contains(index) {
                    output[count] = UInt8(ascii: "-")
                    count += 1
                }
                output[count] = Hexadecimal.digits[Int(byte >> 4)]
                output[count + 1] = Hexadecimal.digits[Int(byte & 15)]
                count += 2
            }
        }
    }

    /// The server's rendering without the blanks that it puts behind commas and colons, so that an
    /// element which an edit adds looks like those that were there.
    private static func compact(
        _ bytes: UnsafeRawBufferPointer
    ) throws(PostgresFailure) -> [UInt8] {
        guard bytes.first == 1 else { throw damaged }
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            var isInString = false
            var isEscaped = false
            for byte in bytes.dropFirst() {
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                    }
                } else if byte == UInt8(ascii: "\"") {
                    isInString = true
                } else if byte == UInt8(ascii: " ") {
                    continue
                }
                output[count] = byte
                count += 1
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes of a part.
    func part(from start: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<start + count])
    }
}
