package import MooringModel

/// Shows a place in a bucket, so that no key can act on a terminal.
package enum VisibleKey {
    /// `s3://bucket/key`; of no key, of the bucket. Control characters and bytes that are no UTF-8
    /// stand as `\xNN`.
    package static func place(_ bucket: String, _ key: ObjectKey?) -> String {
        "s3://\(bucket)" + (key.map { "/" + text($0.bytes) } ?? "")
    }

    /// A text of somebody else's, on one line.
    package static func text(_ bytes: [UInt8]) -> String {
        var shown = ""
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var place = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return shown
            case .error(let length):
                for byte in bytes[place..<min(place + length, bytes.count)] {
                    shown += escape(UInt32(byte))
                }
                place += length
            case .valid(let encoded):
                let scalar = UTF8.decode(encoded)
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    shown += escape(scalar.value)
                default: shown.unicodeScalars.append(scalar)
                }
                place += encoded.count
            }
        }
    }

    private static func escape(_ value: UInt32) -> String {
        value < 0x100
            ? "\\x" + (value < 16 ? "0" : "") + String(value, radix: 16)
            : "\\u{" + String(value, radix: 16) + "}"
    }
}
