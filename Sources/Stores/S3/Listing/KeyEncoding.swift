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
        guard reading != .literal else { return Array(text) }
        var isValid = true
        let key = [UInt8](unsafeUninitializedCapacity: text.count) { output, count in
            var (read, written) = (0, 0)
            while read < text.count {
                var byte = text[read]
                if byte == UInt8(ascii: "%") {
                    guard read + 2 < text.count, let high = nibble(text[read + 1]),
                        let low = nibble(text[read + 2])
                    else {
                        isValid = false
                        break
                    }
                    byte = high << 4 | low
                    read += 2
                } else if byte == UInt8(ascii: "+"), reading == .form {
                    byte = 0x20
                } else if byte <= 0x20 || byte >= 0x7F {
                    // Who encodes anything encodes these.
                    isValid = false
                    break
                }
                output[written] = byte
                written += 1
                read += 1
            }
            count = written
        }
        return isValid ? key : nil
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
