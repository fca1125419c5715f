import MooringModel

/// Listed objects as bytes of a spool: of each key only what differs from the key before, since a
/// page is in order.
enum SpooledObjects {
    /// Writes objects behind what a buffer holds; nothing is allocated for each.
    static func encode(_ objects: [ListedObject], into buffer: inout [UInt8]) {
        put(objects.count, &buffer)
        var before: [UInt8] = []
        for object in objects {
            let key = object.key.bytes
            let shared = shared(before, key)
            put(shared, &buffer)
            put(key.count - shared, &buffer)
            key.withUnsafeBufferPointer {
                buffer.append(contentsOf: UnsafeBufferPointer(rebasing: $0[shared...]))
            }
            let version = object.version
            put(UInt64(bitPattern: version.size), &buffer)
            withUnsafeBytes(of: version.lastModified.nanoseconds.littleEndian) {
                buffer.append(contentsOf: $0)
            }
            put(version.etag, &buffer)
            buffer.append(version.versionID == nil ? 0 : 1)
            if let id = version.versionID { put(id, &buffer) }
            before = key
        }
    }

    /// The objects of bytes that `encode` wrote; throws `SpoolFault` where they are anything else.
    static func decode(_ bytes: ArraySlice<UInt8>) throws(SpoolFault) -> [ListedObject] {
        var rest = SpoolBytes(bytes)
        let count = try rest.number()
        guard count <= bytes.count else { throw SpoolFault.odd }
        var objects: [ListedObject] = []
        objects.reserveCapacity(count)
        var before: [UInt8] = []
        for _ in 0..<count {
            let shared = try rest.number()
            guard shared <= before.count else { throw SpoolFault.odd }
            let key = before.prefix(shared) + (try rest.take(try rest.number()))
            before = Array(key)
            let size = Int64(bitPattern: try rest.varint())
            var nanoseconds: UInt64 = 0
            for (place, byte) in try rest.take(8).enumerated() {
                nanoseconds |= UInt64(byte) << (8 * UInt64(place))
            }
            let etag = try rest.text()
            let hasID = try rest.varint() != 0
            let version = ObjectVersion(
                size: size, etag: etag,
                lastModified: Instant(nanoseconds: Int64(bitPattern: nanoseconds)),
                versionID: hasID ? try rest.text() : nil)
            objects.append(ListedObject(key: ObjectKey(before), version: version))
        }
        guard rest.isEmpty else { throw SpoolFault.odd }
        return objects
    }

    /// Writes a number that is not negative.
    static func put(_ number: Int, _ buffer: inout [UInt8]) {
        put(UInt64(number), &buffer)
    }

    private static func put(_ number: UInt64, _ buffer: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(rest))
    }

    private static func put(_ text: String, _ buffer: inout [UInt8]) {
        let isPut: Void? = text.utf8.withContiguousStorageIfAvailable {
            put($0.count, &buffer)
            buffer.append(contentsOf: $0)
        }
        guard isPut == nil else { return }
        put(text.utf8.count, &buffer)
        buffer.append(contentsOf: text.utf8)
    }

    private static func shared(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                let most = min(left.count, right.count)
                var count = 0
                while count < most, left[count] == right[count] { count += 1 }
                return count
            }
        }
    }
}

/// Why a spool cannot be read.
enum SpoolFault: Error, Hashable, Sendable {
    /// It holds something that no listing writes, or its checksum does not fit.
    case odd
    /// It cannot be read at all.
    case unreadable(Int32)
}

/// Bytes of a spool that are read one after the other, never past their end.
struct SpoolBytes {
    private var rest: ArraySlice<UInt8>

    /// All of these bytes.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether nothing is left.
    var isEmpty: Bool { rest.isEmpty }

    /// The next so many bytes.
    mutating func take(_ count: Int) throws(SpoolFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .odd }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The next number.
    mutating func varint() throws(SpoolFault) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst() {
            guard shift < 63 || byte <= 1 else { throw .odd }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .odd
    }

    /// The next number that counts something.
    mutating func number() throws(SpoolFault) -> Int {
        guard let number = Int(exactly: try varint()) else { throw .odd }
        return number
    }

    /// The next text.
    mutating func text() throws(SpoolFault) -> String {
        let count = try number()
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw .odd }
        return text
    }
}
