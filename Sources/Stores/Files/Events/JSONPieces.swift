/// Takes a stream of JSON apart into the values that stand in it one after another, be it on a line
/// each, over many lines, in one list, or in the list of one object (`Records` of a delivery), so
/// that no file has to be held as a whole.
struct JSONPieces {
    /// What is told as the bytes pass by.
    enum Piece: Equatable {
        /// A value, the line that it began on, and its number in its list.
        case value([UInt8], line: Int, number: Int?)
        case fault(line: Int, reason: String)
    }

    private enum State {
        /// Between values.
        case outside
        /// In a value that is kept, or left out since it is too long.
        case value, tooLong
        /// Behind a list, in what is left of the object around it.
        case tail
        /// On a line that begins no value.
        case junk
        /// In an element of a list that is neither an object nor a list.
        case scalar
    }

    /// The longest value, in bytes.
    static let limit = 8 << 20
    private static let lists = ["\"Records\"", "\"logEvents\"", "\"events\""].map { Array($0.utf8) }

    private var state = State.outside
    private var kept: [UInt8] = []
    private var depth = 0
    // The depth that values begin at: 0, 1 in a list, 2 in the list of an object.
    private var base = 0
    private var number: Int?
    private var line = 1
    private var start = 1
    private var (inText, isEscaped) = (false, false)

    /// Takes the next bytes.
    mutating func take(_ bytes: some Sequence<UInt8>, _ tell: (Piece) -> Void) {
        for byte in bytes {
            step(byte, tell)
            if byte == 0x0A { line += 1 }
        }
    }

    /// Tells what was left open at the end; false where something was.
    @discardableResult
    mutating func finish(_ tell: (Piece) -> Void) -> Bool {
        switch state {
        case .outside where base == 0, .junk where base == 0: return true
        default:
            tell(.fault(line: start, reason: "is cut off"))
            return false
        }
    }

    private mutating func step(_ byte: UInt8, _ tell: (Piece) -> Void) {
        switch state {
        case .outside: begin(byte, tell)
        case .junk: if byte == 0x0A { state = .outside }
        case .scalar:
            guard !passesText(byte), [UInt8(ascii: ","), UInt8(ascii: "]")].contains(byte) else {
                return
            }
            state = .outside
            begin(byte, tell)
        case .value, .tooLong, .tail:
            if state == .value { keep(byte, tell) }
            guard !passesText(byte) else { return }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if byte == UInt8(ascii: "["), isListOfObject { enterList() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= base { end(tell) }
            default: break
            }
        }
    }

    private mutating func begin(_ byte: UInt8, _ tell: (Piece) -> Void) {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): return
        case UInt8(ascii: "{"):
            (state, start, kept) = (.value, line, [byte])
            depth = base + 1
        case UInt8(ascii: "[") where base == 0:
            (base, depth, number, start) = (1, 1, 0, line)
        case UInt8(ascii: "]") where base > 0:
            state = base == 2 ? .tail : .outside
            (depth, base, number) = (base - 1, 0, nil)
        default:
            guard base > 0 else {
                tell(.fault(line: line, reason: "is no JSON"))
                state = .junk
                return
            }
            // The elements behind it are told all the same.
            tell(.fault(line: line, reason: "holds an element that is no object"))
            number = number.map { $0 + 1 }
            (state, start, depth) = (byte == UInt8(ascii: "[") ? .tooLong : .scalar, line, base + 1)
            inText = byte == UInt8(ascii: "\"")
        }
    }

    private mutating func keep(_ byte: UInt8, _ tell: (Piece) -> Void) {
        kept.append(byte)
        guard kept.count > Self.limit else { return }
        tell(.fault(line: start, reason: "is longer than \(Self.limit >> 20) MiB"))
        (kept, state) = ([], .tooLong)
    }

    // Whether the byte belongs to a text, in which braces mean nothing.
    private mutating func passesText(_ byte: UInt8) -> Bool {
        if inText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                inText = false
            }
            return true
        }
        inText = byte == UInt8(ascii: "\"")
        return inText
    }

    // Whether the bracket that was just kept begins the list that an object is made for.
    private var isListOfObject: Bool {
        guard state == .value, base == 0, depth == 2 else { return false }
        var head = kept.dropLast()
        while let last = head.last, last <= 0x20 || last == UInt8(ascii: ":") {
            head = head.dropLast()
        }
        return Self.lists.contains { head.suffix($0.count).elementsEqual($0) }
    }

    private mutating func enterList() {
        (state, base, number, kept) = (.outside, 2, 0, [])
    }

    private mutating func end(_ tell: (Piece) -> Void) {
        if state == .value {
            number = number.map { $0 + 1 }
            tell(.value(kept, line: start, number: number))
        }
        (state, kept) = (.outside, [])
    }
}
