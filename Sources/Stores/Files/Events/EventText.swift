import MooringModel
import MooringText

/// Texts of logs: keys as they are written there, and times.
enum EventText {
    /// A key whose triplets are decoded; where it is form-encoded, a plus is a blank.
    static func decoded(_ text: some Collection<UInt8>, isForm: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), rest.count > 2,
                let value = Hexadecimal.decoded(rest.dropFirst().prefix(2))
            {
                output += value
                rest = rest.dropFirst(3)
            } else {
                output.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
                rest = rest.dropFirst()
            }
        }
        return output
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The time of an access log, `06/Feb/2019:00:00:38 +0000`; nil of any other text.
    static func accessTime(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, parts[1] == "+0000" else { return nil }
        let date = parts[0].split(separator: ":", maxSplits: 1)
        let days = date.first?.split(separator: "/") ?? []
        guard date.count == 2, days.count == 3, days[2].utf8.count == 4,
            let month = months.firstIndex(of: String(days[1]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Instant(iso8601: "\(days[2])-\(number)-\(days[0])T\(date[1])Z")
    }

    /// A time of JSON or CSV, with how exactly it is told: ISO 8601, one that Athena writes, or
    /// seconds or milliseconds since 1970.
    static func time(_ text: String) -> (Instant, Duration)? {
        let plain = text.hasSuffix(" UTC") ? String(text.dropLast(4)) : text
        let bytes = Array(plain.utf8)
        let read = bytes.withUnsafeBufferPointer { TimeReader.instant($0) }
        guard let read else { return nil }
        return (read, plain.contains(".") ? .milliseconds(1) : .seconds(1))
    }

    /// The same of a member, be it a text or a number.
    static func time(_ node: JSONNode?) -> (Instant, Duration)? {
        switch node?.kind {
        case .string(let bytes): time(String(decoding: bytes, as: UTF8.self))
        case .number(let bytes): time(String(decoding: bytes, as: UTF8.self))
        default: nil
        }
    }

    /// Every text below a value, in the order in which they stand.
    static func texts(in node: JSONNode?) -> [[UInt8]] {
        guard let node else { return [] }
        switch node.kind {
        case .string(let bytes): return [bytes]
        // A number may be a part of a record's id.
        case .number(let bytes): return [bytes]
        case .array(let nodes): return nodes.flatMap { texts(in: $0) }
        case .object(let members): return members.flatMap { texts(in: $0.value) }
        case .null, .bool: return []
        }
    }
}
