import Glibc

/// A key's text in a page, without its entities.
struct KeyText {
    private let piece: RawPage.Piece
    // Where the text held entities, and so is not what stands in the page.
    private let owned: [UInt8]?
    /// Whether a plus stands in it.
    let holdsPlus: Bool
    /// Whether a percent sign stands in it.
    let holdsPercent: Bool

    /// The text of an element; throws where there is none.
    init(_ piece: RawPage.Piece?) throws(PageFault) {
        guard let piece else { throw .odd("lists an element without a key") }
        self.piece = piece
        let held = Self.held(in: piece)
        guard held.ampersand else {
            owned = nil
            (holdsPlus, holdsPercent) = (held.plus, held.percent)
            return
        }
        do {
            let decoded = try XMLText.decode(ArraySlice(piece))
            owned = decoded
            holdsPlus = decoded.contains(UInt8(ascii: "+"))
            holdsPercent = decoded.contains(UInt8(ascii: "%"))
        } catch {
            throw .xml(error)
        }
    }

    // Which of these stand in a text, eight bytes at a time.
    private static func held(
        in piece: RawPage.Piece
    ) -> (ampersand: Bool, plus: Bool, percent: Bool) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (ampersand, plus, percent) = (
            UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "%")
        )
        let raw = UnsafeRawBufferPointer(piece)
        guard raw.count >= 8 else {
            return (raw.contains(ampersand), raw.contains(plus), raw.contains(percent))
        }
        // The top bit of each byte that is one of them, and perhaps of some behind the first.
        func hits(_ word: UInt64, _ byte: UInt8) -> UInt64 {
            let others = word ^ ones &* UInt64(byte)
            return (others &- ones) & ~others
        }
        var (ampersands, pluses, percents): (UInt64, UInt64, UInt64) = (0, 0, 0)
        var index = 0
        while index < raw.count {
            // The last word reaches back into the one before.
            let word = raw.loadUnaligned(
                fromByteOffset: min(index, raw.count - 8), as: UInt64.self)
            ampersands |= hits(word, ampersand)
            pluses |= hits(word, plus)
            percents |= hits(word, percent)
            index += 8
        }
        let tops = ones << 7
        return (ampersands & tops != 0, pluses & tops != 0, percents & tops != 0)
    }

    /// The text's bytes, for as long as the body runs.
    func withBytes<Result>(_ body: (RawPage.Piece) -> Result) -> Result {
        if let owned { return owned.withUnsafeBufferPointer(body) }
        return body(piece)
    }

    /// Whether a carriage return stands in the page itself, which XML reads as a line feed.
    var holdsReturn: Bool {
        guard let base = piece.baseAddress else { return false }
        return memchr(base, 0x0D, piece.count) != nil
    }

    /// The key that the text means; throws where it has no such reading.
    func key(_ reading: KeyEncoding.Reading) throws(PageFault) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: piece.count)
        let count = try room.withUnsafeMutableBufferPointer { (room) throws(PageFault) in
            try write(reading, to: room)
        }
        room.removeLast(room.count - count)
        return room
    }

    /// Writes the same to room for as many bytes as the text has in the page, and gives how many
    /// they are.
    func write(
        _ reading: KeyEncoding.Reading, to room: UnsafeMutableBufferPointer<UInt8>
    ) throws(PageFault) -> Int {
        if reading == .literal, holdsReturn {
            throw .odd("lists a key with a carriage return, which XML does not keep")
        }
        guard let count = withBytes({ KeyEncoding.write($0, reading, to: room) }) else {
            throw .odd("lists a key that is not encoded as the others are")
        }
        guard count > 0 else { throw .odd("lists an empty key") }
        return count
    }

    /// Whether any reading of the text is this key.
    func means(_ key: [UInt8]) -> Bool {
        withBytes { bytes in
            if bytes.elementsEqual(key) { return true }
            return [.percent, .form].contains { KeyEncoding.key(bytes, $0) == key }
        }
    }
}

/// Finds out how the keys of one page are written.
struct EncodingRule {
    /// How the keys of a page are to be read, or what has to be asked before.
    enum Decision {
        case reading(KeyEncoding.Reading)
        case ambiguous(
            text: [UInt8], isSaid: Bool, keys: [(reading: KeyEncoding.Reading, key: [UInt8])])
    }

    /// What the page showed.
    private(set) var seen = KeyEncoding()
    private let isSaid: Bool
    private let known: KeyEncoding
    private var isLiteral = false
    private var firstPlus: [UInt8]?
    private var firstEncoded: [UInt8]?

    /// A rule for a page that says, or does not, that its keys are encoded.
    init(isSaid: Bool, known: KeyEncoding) {
        self.isSaid = isSaid
        self.known = known
    }

    /// Looks at one text of the page.
    mutating func note(_ text: KeyText) {
        if isSaid, !text.holdsPercent, firstPlus != nil || !text.holdsPlus { return }
        text.withBytes { note($0, holdsPlus: text.holdsPlus) }
    }

    private mutating func note(_ text: RawPage.Piece, holdsPlus: Bool) {
        guard let base = text.baseAddress else { return }
        if firstPlus == nil, holdsPlus { firstPlus = Array(text) }
        if !isSaid, text.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) { isLiteral = true }
        var place = 0
        while place < text.count, let found = memchr(base + place, 0x25, text.count - place) {
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if index + 2 < text.count {
                let (high, low) = (text[index + 1], text[index + 2])
                if high == UInt8(ascii: "2") {
                    if low | 0x20 == UInt8(ascii: "b") { seen.encodesPlus = true }
                    if low == UInt8(ascii: "0") { seen.encodesBlank = true }
                }
            }
            if !isSaid, firstEncoded == nil { firstEncoded = Array(text) }
            place = index + 1
        }
    }

    /// How the page's texts have to be read; throws where they contradict each other.
    mutating func decision() throws(PageFault) -> Decision {
        isSaid ? try saidDecision() : try unsaidDecision()
    }

    private func saidDecision() throws(PageFault) -> Decision {
        guard let firstPlus else { return .reading(.percent) }
        var all = known
        all.merge(seen)
        if let plus = all.plus { return .reading(plus) }
        guard !all.encodesPlus else {
            throw .odd("writes a plus in three ways, so that its keys cannot be told apart")
        }
        return ambiguity(firstPlus, [.percent, .form])
    }

    // What is not said to be encoded is taken as it stands where nothing else is possible.
    private mutating func unsaidDecision() throws(PageFault) -> Decision {
        let wasSeen = seen
        (seen.encodesPlus, seen.encodesBlank) = (false, false)
        if isLiteral || known.foundUnsaid == .literal { return .reading(.literal) }
        if let firstEncoded {
            guard known.foundUnsaid != nil else {
                return ambiguity(firstEncoded, [.literal, .percent, .form])
            }
            seen = wasSeen
            return try saidDecision()
        }
        guard let firstPlus else { return .reading(.literal) }
        switch known.plus {
        case .form: return .reading(.form)
        case .some: return .reading(.literal)
        case nil: return ambiguity(firstPlus, [.literal, .form])
        }
    }

    private func ambiguity(_ text: [UInt8], _ readings: [KeyEncoding.Reading]) -> Decision {
        var keys: [(reading: KeyEncoding.Reading, key: [UInt8])] = []
        for reading in readings {
            guard let key = text.withUnsafeBufferPointer({ KeyEncoding.key($0, reading) }),
                !keys.contains(where: { $0.key == key })
            else { continue }
            keys.append((reading, key))
        }
        if keys.count == 1 { return .reading(keys[0].reading) }
        return .ambiguous(text: text, isSaid: isSaid, keys: keys)
    }
}
