/// A JSON text read by a few lines that share no code with the program's parser.
enum NaiveJSON {
    case list([NaiveJSON])
    /// By name; of a name that stands there twice the last one.
    case object([String: NaiveJSON])
    /// The bytes that a string stands for.
    case string([UInt8])
    /// A number, a truth value or null, as it is written.
    case other([UInt8])

    var list: [NaiveJSON]? { if case .list(let list) = self { list } else { nil } }
    var members: [String: NaiveJSON]? { if case .object(let all) = self { all } else { nil } }
    var text: [UInt8]? { if case .string(let bytes) = self { bytes } else { nil } }

    /// The one value of a text; nil where it is no JSON.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let value = Self.value(&rest) else { return nil }
        Self.skip(&rest)
        guard rest.isEmpty else { return nil }
        self = value
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { " \t\r\n".utf8.contains($0) }
    }

    private static func take(_ character: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        skip(&rest)
        guard rest.first == character.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) -> NaiveJSON? {
        if take("[", &rest) {
            var list: [NaiveJSON] = []
            if take("]", &rest) { return .list([]) }
            repeat {
                guard let element = value(&rest) else { return nil }
                list.append(element)
            } while take(",", &rest)
            return take("]", &rest) ? .list(list) : nil
        }
        if take("{", &rest) {
            var members: [String: NaiveJSON] = [:]
            if take("}", &rest) { return .object([:]) }
            repeat {
                guard take("\"", &rest), let name = string(&rest), take(":", &rest),
                    let member = value(&rest)
                else { return nil }
                members[String(decoding: name, as: UTF8.self)] = member
            } while take(",", &rest)
            return take("}", &rest) ? .object(members) : nil
        }
        if take("\"", &rest) { return string(&rest).map { .string($0) } }
        let word = Array(rest.prefix { !" \t\r\n,]}".utf8.contains($0) })
        rest = rest.dropFirst(word.count)
        let isWord = ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
        let isNumber = Double(String(decoding: word, as: UTF8.self)) != nil
        return isWord || isNumber ? .other(word) : nil
    }

    // Behind its first quote.
    private static func string(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: return bytes
            case 0..<0x20: return nil
            case 0x5C:
                guard let escaped = rest.popFirst() else { return nil }
                if escaped == 0x75 {
                    guard let scalar = scalar(&rest) else { return nil }
                    bytes += Array(String(Character(scalar)).utf8)
                    continue
                }
                let plain: [UInt8: UInt8] = [
                    0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13,
                    0x74: 9,
                ]
                guard let byte = plain[escaped] else { return nil }
                bytes.append(byte)
            default: bytes.append(byte)
            }
        }
        return nil
    }

    // Behind `\u`: four digits, and another four for what lies beyond them.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        func unit() -> UInt32? {
            let digits = String(decoding: rest.prefix(4), as: UTF8.self)
            rest = rest.dropFirst(4)
            return digits.count == 4 ? UInt32(digits, radix: 16) : nil
        }
        guard let first = unit() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == 0x5C, rest.popFirst() == 0x75, let second = unit(),
            (0xDC00..<0xE000).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }
}
