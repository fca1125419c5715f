/// Finds the code of an error in a service's answer without reading all of it.
package enum ErrorCode {
    // Errors are short, and their code stands near the beginning.
    private static let window = 16_384

    /// The code in the XML or JSON body of an error; nil where there is none.
    package static func find(in body: [UInt8]) -> String? {
        let head = body.prefix(window)
        if let start = head.firstRange(of: Array("<Code>".utf8))?.upperBound {
            return word(head[start...].prefix { $0 != UInt8(ascii: "<") })
        }
        guard
            // AppSync writes the second.
            let name = ["\"__type\"", "\"errorType\""].lazy.compactMap({
                head.firstRange(of: Array($0.utf8))?.upperBound
            }).first,
            let open = head[name...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        let value = head[(open + 1)...].prefix { $0 != UInt8(ascii: "\"") }
        // The name of the service's own namespace stands before it.
        return word(value.split(separator: UInt8(ascii: "#")).last ?? [])
    }

    /// Whether a body is an error document: S3 may begin an answer of 200 before it knows whether
    /// the call will succeed.
    package static func isError(_ body: [UInt8]) -> Bool {
        var rest = body[...].drop(while: isBlank)
        if rest.starts(with: "<?xml".utf8), let end = rest.firstRange(of: Array("?>".utf8)) {
            rest = rest[end.upperBound...].drop(while: isBlank)
        }
        guard rest.starts(with: "<Error".utf8) else { return false }
        return rest.dropFirst(6).first.map { $0 == UInt8(ascii: ">") || isBlank($0) } ?? false
    }

    /// The status that an error in the body of a 200 should have had. One that is not known is a
    /// failure of the service, which proves nothing.
    package static func status(of code: String) -> Int {
        switch code {
        case "SlowDown", "ServiceUnavailable": 503
        case "PreconditionFailed": 412
        case "ConditionalRequestConflict", "OperationAborted": 409
        case "NoSuchKey", "NoSuchUpload", "NoSuchBucket", "NoSuchVersion": 404
        case "AccessDenied": 403
        default: 500
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    // A code is a word; anything else is not one, and is not shown either.
    private static func word(_ bytes: ArraySlice<UInt8>) -> String? {
        let isWord = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        guard isWord, (1...64).contains(bytes.count) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
