/// The forms in which a value may spell a key: the bytes as they are, and with every encoding
/// taken off that they call for, one inside the other, four at most.
///
/// What an encoding would not change is not tried. An encoding that stands in a text by chance
/// does no harm, since the text without it is searched too.
struct TextForms: Sendable {
    /// So many encodings may lie in one another.
    static let layers = 4
    // Texts that hold every encoding have thousands of forms, one for each order in which they may
    // lie in one another. All forms of one have so many bytes at most, so that the work is bounded;
    // those with fewer layers come first, and so many are always made.
    private static let byteLimit = 16 << 20
    private static let formLimit = 256

    /// Whether path-normal forms mean the same file, as in a folder.
    let foldsPaths: Bool
    private static let maker = FingerprintMaker()

    /// Gives each form of a value, the value itself first, then those with one encoding taken off,
    /// then with two, and so on.
    func each(of value: [UInt8], _ visit: ([UInt8]) -> Void) {
        _ = holds(value) { form in
            visit(form)
            return false
        }
    }

    /// Whether some form of a value is one of these; no more forms are made than that takes.
    func holds(_ value: [UInt8], where isOne: ([UInt8]) -> Bool) -> Bool {
        if isOne(value) { return true }
        guard !Coding.called(for: value, foldsPaths).isEmpty else { return false }
        let limit = max(Self.formLimit, Self.byteLimit / max(1, value.count))
        var seen: Set<Fingerprint> = [fingerprint(of: value)]
        // What was taken off is kept, and not the forms, so that only a few are held at once.
        var paths: [[Coding]] = [[]]
        for layer in 1...Self.layers {
            var deeper: [[Coding]] = []
            for path in paths where seen.count < limit {
                let outer = path.reduce(value) { text, coding in coding.removed(from: text) }
                for coding in Coding.called(for: outer, foldsPaths)
                where seen.count < limit {
                    let plain = coding.removed(from: outer)
                    guard seen.insert(fingerprint(of: plain)).inserted else { continue }
                    if isOne(plain) { return true }
                    if layer < Self.layers { deeper.append(path + [coding]) }
                }
            }
            paths = deeper
        }
        return false
    }

    private func fingerprint(of text: [UInt8]) -> Fingerprint {
        text.withUnsafeBufferPointer { Self.maker.make($0, tag: 0) }
    }
}

/// One way in which texts encode others.
enum Coding: CaseIterable {
    case percent, plus, json, backslash, separators, entity, quotes, apostrophes, path

    /// The encodings that a text's bytes call for; a doubled quote and a path's dots need their
    /// neighbour, and are not looked at here.
    static func called(for text: [UInt8], _ foldsPaths: Bool) -> [Coding] {
        func holds(_ mark: Unicode.Scalar) -> Bool {
            text[...].place(of: UInt8(ascii: mark)) != nil
        }
        var codings: [Coding] = []
        if holds("%") { codings.append(.percent) }
        if holds("+") { codings.append(.plus) }
        if holds("\\") { codings += [.json, .backslash, .separators] }
        if holds("&"), holds(";") { codings.append(.entity) }
        if holds("\"") { codings.append(.quotes) }
        if holds("'") { codings.append(.apostrophes) }
        if foldsPaths, holds("/") { codings.append(.path) }
        return codings
    }

    /// Whether an encoding may change a text.
    static func mayChange(_ text: UnsafeBufferPointer<UInt8>, _ foldsPaths: Bool) -> Bool {
        guard ByteBlocks.holdEscapes(in: text, orPaths: foldsPaths) else { return false }
        var before: UInt8 = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "&"):
                return true
            case UInt8(ascii: "\""), UInt8(ascii: "'"): if byte == before { return true }
            case UInt8(ascii: "/"), UInt8(ascii: "."):
                // A path that is normal has no empty parts and none of dots.
                if foldsPaths, before == UInt8(ascii: "/") { return true }
            default: break
            }
            before = byte
        }
        return false
    }

    /// The text without the encoding; the same text where it has none.
    func removed(from text: [UInt8]) -> [UInt8] {
        switch self {
        case .percent: PercentCoding.decoded(text[...], plusIsBlank: false)
        case .plus: text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        case .json: JSONEscapes.removed(from: text)
        case .backslash: Backslashes.removed(from: text)
        case .separators: Backslashes.separating(text)
        case .entity: Entities.removed(from: text)
        case .quotes: Self.halved(text, UInt8(ascii: "\""))
        case .apostrophes: Self.halved(text, UInt8(ascii: "'"))
        case .path: PathForm.folded(text)
        }
    }

    private static func halved(_ text: [UInt8], _ quote: UInt8) -> [UInt8] {
        text[...].replacing(quote) { place, output in
            output.append(quote)
            return place + 1 < text.count && text[place + 1] == quote ? place + 2 : place + 1
        }
    }
}

/// Backslashes: between the parts of a path, or before what they protect, as shells, Markdown and
/// PostgreSQL's arrays and composites have them; octal and hexadecimal bytes too.
enum Backslashes {
    /// The bytes without them.
    static func removed(from text: [UInt8]) -> [UInt8] {
        text[...].replacing(UInt8(ascii: "\\")) { place, output in
            guard place + 1 < text.count else {
                output.append(text[place])
                return place + 1
            }
            if let (byte, width) = number(text[(place + 1)...]) {
                output.append(byte)
                return place + 1 + width
            }
            output.append(text[place + 1])
            return place + 2
        }
    }

    /// The bytes with a slash for each run of them: paths of Windows, quoted or not.
    static func separating(_ text: [UInt8]) -> [UInt8] {
        text[...].replacing(UInt8(ascii: "\\")) { place, output in
            output.append(UInt8(ascii: "/"))
            return text[place...].firstIndex { $0 != UInt8(ascii: "\\") } ?? text.endIndex
        }
    }

    // Three octal digits, or `x` and two hexadecimal ones.
    private static func number(_ text: ArraySlice<UInt8>) -> (byte: UInt8, width: Int)? {
        let digits = Array(text.prefix(3))
        guard digits.count == 3 else { return nil }
        if digits[0] == UInt8(ascii: "x") {
            guard let high = PercentCoding.digit(digits[1]),
                let low = PercentCoding.digit(digits[2])
            else { return nil }
            return (high << 4 | low, 3)
        }
        let octal = digits.map { $0 &- UInt8(ascii: "0") }
        guard octal[0] < 4, octal[1] < 8, octal[2] < 8 else { return nil }
        return (octal[0] << 6 | octal[1] << 3 | octal[2], 3)
    }
}
