/// One header of a tar archive: a regular file with its name and size, as POSIX's ustar has it.
package struct TarHeader: Hashable, Sendable {
    /// The size of a header, and of the blocks that contents are filled up to.
    static let blockSize = 512

    /// The name, at most 100 bytes of ASCII.
    package let name: String
    /// How many bytes of content follow.
    package let size: Int64
    /// The time of the file, in seconds since 1970.
    package let time: Int64

    /// The header of a member.
    package init(name: String, size: Int64, time: Int64) {
        (self.name, self.size, self.time) = (name, size, time)
    }

    /// Where the fields stand.
    private enum Field {
        static let name = 0..<100
        static let mode = 100..<108
        static let user = 108..<116
        static let group = 116..<124
        static let size = 124..<136
        static let time = 136..<148
        static let sum = 148..<156
        static let kind = 156
        static let magic = 257..<265
        static let prefix = 345..<500
    }

    private static let magic = Array("ustar".utf8) + [0] + Array("00".utf8)
    // What eleven octal digits hold: 8 GiB.
    private static let octalLimit: Int64 = 1 << 33

    /// The block: readable by its owner alone, who is user 0.
    package var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        block.replaceSubrange(0..<min(name.utf8.count, 100), with: Array(name.utf8.prefix(100)))
        block.replaceSubrange(Field.mode, with: Self.octal(0o600, 8))
        block.replaceSubrange(Field.user, with: Self.octal(0, 8))
        block.replaceSubrange(Field.group, with: Self.octal(0, 8))
        block.replaceSubrange(Field.size, with: Self.number(size))
        block.replaceSubrange(Field.time, with: Self.octal(time, 12))
        block[Field.kind] = UInt8(ascii: "0")
        block.replaceSubrange(Field.magic, with: Self.magic)
        block.replaceSubrange(Field.sum, with: Self.octal(Self.sum(of: block), 7) + [0x20])
        return block
    }

    /// Reads a block; nil of one of zeros, which ends an archive. Throws where it is no header of a
    /// regular file with a plain name, or any other byte of it is not as `bytes` has it.
    package init?(parsing block: [UInt8]) throws(ReadFailure) {
        if block.allSatisfy({ $0 == 0 }) { return nil }
        guard Self.value(of: block[Field.sum]) == Self.sum(of: block) else {
            throw ReadFailure(reason: "a header's checksum is wrong: no tar archive, or damaged")
        }
        let bytes = block[Field.name].prefix { $0 != 0 }
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            throw ReadFailure(reason: "a member's name is no plain text")
        }
        name = String(decoding: bytes, as: UTF8.self)
        guard block[Field.kind] == UInt8(ascii: "0") || block[Field.kind] == 0 else {
            throw ReadFailure(reason: "\(name) is no regular file")
        }
        guard block[Field.magic].starts(with: Array("ustar".utf8)),
            block[Field.prefix].allSatisfy({ $0 == 0 })
        else { throw ReadFailure(reason: "\(name) has a header of another form") }
        guard let size = Self.value(of: block[Field.size]), size >= 0,
            let time = Self.value(of: block[Field.time])
        else { throw ReadFailure(reason: "\(name) has no size or time") }
        (self.size, self.time) = (size, time)
        // So that no other field, and no byte behind a text's end, can hold anything.
        guard self.bytes == block else {
            throw ReadFailure(reason: "\(name) has a header of another form")
        }
    }

    /// How many bytes fill contents of a size up to the next block.
    static func padding(of size: Int64) -> Int {
        Int((Int64(blockSize) - size % Int64(blockSize)) % Int64(blockSize))
    }

    // The sum of all bytes, those of the sum itself taken for blanks.
    private static func sum(of block: [UInt8]) -> Int64 {
        block.enumerated().reduce(0) { sum, element in
            sum + (Field.sum.contains(element.offset) ? 0x20 : Int64(element.element))
        }
    }

    // So many bytes, the last of them NUL; of a number that does not fit, the nearest that does.
    private static func octal(_ number: Int64, _ width: Int) -> [UInt8] {
        let largest = (Int64(1) << Int64(3 * (width - 1))) - 1
        let digits = Array(String(min(max(0, number), largest), radix: 8).utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: width - 1 - digits.count) + digits
            + [0]
    }

    // Octal, or from 8 GiB on the form in which every reader takes larger ones: base 256.
    private static func number(_ number: Int64) -> [UInt8] {
        if number < octalLimit { return octal(number, 12) }
        return [0x80, 0, 0, 0] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func value(of field: ArraySlice<UInt8>) -> Int64? {
        if field.first == 0x80 {
            let tail = field.suffix(8)
            guard field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }), tail.first ?? 0 < 0x80
            else { return nil }
            return tail.reduce(0) { $0 << 8 | Int64($1) }
        }
        let digits = field.drop { $0 == 0x20 }.prefix { (0x30..<0x38).contains($0) }
        guard !digits.isEmpty, field[digits.endIndex...].allSatisfy({ $0 == 0 || $0 == 0x20 })
        else { return nil }
        return digits.reduce(0) { $0 << 3 | Int64($1 - 0x30) }
    }
}
