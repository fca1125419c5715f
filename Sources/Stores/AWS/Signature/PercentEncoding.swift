/// Percent-encoding as Signature Version 4 wants it: everything but letters, digits, `-._~`.
package enum PercentEncoding {
    /// A path; slashes stay.
    package static func path(_ bytes: [UInt8]) -> String { encode(bytes, keepsSlash: true) }

    /// A text of one part: a parameter's name or value, a header's key.
    package static func part(_ bytes: [UInt8]) -> String { encode(bytes, keepsSlash: false) }

    /// Parameters, sorted by their encoded names and values.
    package static func query(_ parameters: [AWSRequest.Parameter]) -> String {
        var encoded = parameters.map { (part(Array($0.name.utf8)), part($0.value)) }
        if encoded.count > 1 { encoded.sort { ($0.0, $0.1) < ($1.0, $1.1) } }
        return encoded.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func encode(_ bytes: [UInt8], keepsSlash: Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.append(byte)
            case 0x2F where keepsSlash: encoded.append(byte)
            default:
                encoded.append(0x25)
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
