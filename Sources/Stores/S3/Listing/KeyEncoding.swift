/// How a store writes keys in its listings.
///
/// With `encoding-type=url` AWS and rclone write a blank as `+` and a plus as `%2B`, Ceph and
/// MiniStack write a blank as `%20`; some calls of some stores encode and do not say so, or say
/// nothing and do not. What nobody said is found out, never guessed.
struct KeyEncoding: Hashable, Sendable {
    /// Whether the store was seen to write a plus as `%2B`.
    var encodesPlus = false
    /// Whether the store was seen to write a blank as `%20`.
    var encodesBlank = false
    /// What a plus was found to mean where neither was seen.
    var foundPlus: Reading?
    /// How this call's keys were found to be written where the answer does not say.
    var foundUnsaid: Reading?

    /// What a text in a listing can mean.
    enum Reading: Hashable, Sendable {
        /// The key itself.
        case literal
        /// `%XX` is a byte, and a plus is a plus.
        case percent
        /// `%XX` is a byte, and a plus is a blank.
        case form
    }

    /// What a plus means, by what was seen so far; nil where nothing tells.
    var plus: Reading? {
        switch (encodesPlus, encodesBlank) {
        case (true, false): .form
        case (false, true): .percent
        case (false, false): foundPlus
        case (true, true): nil
        }
    }

    /// Notes what another page showed.
    mutating func merge(_ other: KeyEncoding) {
        encodesPlus = encodesPlus || other.encodesPlus
        encodesBlank = encodesBlank || other.encodesBlank
        foundPlus = foundPlus ?? other.foundPlus
        foundUnsaid = foundUnsaid ?? other.foundUnsaid
    }

    /// Notes what was found out about a text that had several readings.
    mutating func note(_ reading: Reading, of text: [UInt8], isSaid: Bool) {
        if text.contains(UInt8(ascii: "+")) { foundPlus = reading == .form ? .form : .percent }
        if !isSaid, text.contains(UInt8(ascii: "%")) {
            foundUnsaid = reading == .literal ? .literal : .percent
        }
    }

    /// The key that a text means under a reading; nil where the text cannot have that reading.
    static func key(_ text: UnsafeBufferPointer<UInt8>, _ reading: Reading) -> [UInt8]? {
        var isValid = true
        let key = [UInt8](unsafeUninitializedCapacity: text.count) { output, count in
            guard let written = write(text, reading, to: output) else {
                isValid = false
                return
            }
            count = written
        }
        return isValid ? key : nil
    }

    /// Writes the same to room for as many bytes as the text has, and gives how many they are.
    static func write(
        _ text: UnsafeBufferPointer<UInt8>, _ reading: Reading,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        guard reading != .literal else { return output.update(fromContentsOf: text) }
        var (read, written) = (0, 0)
        while read < text.count {
            let plain = copyPlain(text, read, to: output, written)
            (read, written) = (read + plain, written + plain)
            if plain == 8 || read == text.count { continue }
            var byte = text[read]
            if byte == UInt8(ascii: "%") {
                guard read + 2 < text.count, let high = nibble(text[read + 1]),
                    let low = nibble(text[read + 2])
                else { return nil }
                byte = high << 4 | low
                read += 2
            } else if byte == UInt8(ascii: "+"), reading == .form {
                byte = 0x20
            } else if byte <= 0x20 || byte >= 0x7F {
                // Who encodes anything encodes these.
                return nil
            }
            output[written] = byte
            written += 1
            read += 1
        }
        return written
    }

    // Copies eight bytes, and gives how many of them mean themselves, whatever the reading; 0 where
    // there are no eight. What is written behind these is written over.
    @inline(__always)
    private static func copyPlain(
        _ text: UnsafeBufferPointer<UInt8>, _ read: Int,
        to output: UnsafeMutableBufferPointer<UInt8>, _ written: Int
    ) -> Int {
        guard read + 8 <= text.count, let from = text.baseAddress, let to = output.baseAddress
        else { return 0 }
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let bits = UnsafeRawPointer(from + read).loadUnaligned(as: UInt64.self)
        UnsafeMutableRawPointer(to + written).storeBytes(of: bits, as: UInt64.self)
        let word = bits.littleEndian
        let percents = word ^ 0x2525_2525_2525_2525
        let pluses = word ^ 0x2B2B_2B2B_2B2B_2B2B
        // The top bit of each byte that stops, and perhaps of some behind the first.
        let found =
            ((percents &- ones) & ~percents | (pluses &- ones) & ~pluses
                | (word &- 0x2121_2121_2121_2121) & ~word | (word &+ ones) | word) & tops
        return found == 0 ? 8 : found.trailingZeroBitCount / 8
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
