import MooringModel

/// Listed objects as bytes of a spool: of each key only what differs from the key before, since a
/// page is in order.
enum SpooledObjects {
    /// Writes objects behind what a buffer holds; of a slab nothing is allocated for each.
    static func encode(_ objects: ObjectBatch, into buffer: inout [UInt8]) {
        put(objects.count, &buffer)
        guard let slab = objects.slab else {
            var before: [UInt8] = []
            for object in objects.objects {
                let version = object.version
                var etag = version.etag
                before.withUnsafeBufferPointer { before in
                    object.key.bytes.withUnsafeBufferPointer { put($0, behind: before, &buffer) }
                }
                put(version.size, version.lastModified, &buffer)
                etag.withUTF8 { put($0, &buffer) }
                buffer.append(version.versionID == nil ? 0 : 1)
                if var id = version.versionID { id.withUTF8 { put($0, &buffer) } }
                before = object.key.bytes
            }
            return
        }
        slab.withEntries { bytes, entries in
            var before = 0..<0
            for entry in entries {
                let end = entry.key.upperBound
                put(piece(bytes, entry.key), behind: piece(bytes, before), &buffer)
                put(entry.size, entry.lastModified, &buffer)
                put(piece(bytes, end..<end + Int(entry.etagCount)), &buffer)
                buffer.append(0)
                before = entry.key
            }
        }
    }

    private static func piece(_ bytes: Bytes, _ range: Range<Int>) -> Bytes {
        Bytes(rebasing: bytes[range])
    }

    private static func put(_ key: Bytes, behind before: Bytes, _ buffer: inout [UInt8]) {
        let shared = shared(before, key)
        put(shared, &buffer)
        put(piece(key, shared..<key.count), &buffer)
    }

    private static func put(_ size: Int64, _ written: Instant, _ buffer: inout [UInt8]) {
        put(UInt64(bitPattern: size), &buffer)
        withUnsafeBytes(of: written.nanoseconds.littleEndian) { buffer.append(contentsOf: $0) }
    }

    private static func put(_ text: Bytes, _ buffer: inout [UInt8]) {
        put(text.count, &buffer)
        buffer.append(contentsOf: text)
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

    private static func shared(_ left: Bytes, _ right: Bytes) -> Int {
        let most = min(left.count, right.count)
        var count = 0
        while count < most, left[count] == right[count] { count += 1 }
        return count
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>
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
