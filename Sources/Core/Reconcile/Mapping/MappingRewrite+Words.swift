package import MooringModel

extension MappingRewrite {
    /// The rewrite in words, as something that is done to what the records hold; `shown` puts keys
    /// into sentences.
    package func words(_ shown: (ObjectKey) -> String) -> String {
        if let prefix { return words(prefix, shown) }
        let named: [Way]
        let general: String
        switch cause {
        case .encoding: (named, general) = (Way.encodings, "percent-decoding both sides")
        case .unicode: (named, general) = (Way.unicodeForms, "taking one Unicode form")
        case .case: (named, general) = (Way.cases, "ignoring upper and lower case")
        case .slash: (named, general) = (Way.slashes, "ignoring how slashes are written")
        default: (named, general) = ([], "taking the path of each URL for the key")
        }
        return named.first { way in samples.allSatisfy(way.fits) }?.words ?? general
    }

    private func words(_ prefix: Prefix, _ shown: (ObjectKey) -> String) -> String {
        let (strip, add) = (shown(ObjectKey(prefix.strip)), shown(ObjectKey(prefix.add)))
        let isWholeKey = samples.allSatisfy { $0.meant.bytes == $0.value }
        let what = isWholeKey ? "the values" : "the keys that the values mean"
        if prefix.strip == prefix.add { return "looking under another identity" }
        if prefix.strip.isEmpty { return "adding the prefix \(add) to \(what)" }
        if prefix.add.isEmpty { return "removing the prefix \(strip) from \(what)" }
        return "exchanging the prefix \(strip) of \(what) for \(add)"
    }
}

/// One way to say a rewrite, and whether it is what a pair needs.
private struct Way: Sendable {
    let words: String
    let fits: @Sendable (MappingRewrite.Pair) -> Bool

    /// Something done to the value gives the end of the key.
    static func value(
        _ words: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Way {
        Way(words: words) { pair in
            let made = change(pair.value)
            return made != pair.value && pair.key.bytes.suffix(made.count).elementsEqual(made)
        }
    }

    /// Something done to the key gives what ends with the value.
    static func key(
        _ words: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Way {
        Way(words: words) { pair in
            let made = change(pair.key.bytes)
            return made != pair.key.bytes
                && made.suffix(pair.value.count).elementsEqual(pair.value)
        }
    }

    static let encodings = [
        value("percent-decoding the values") { decoded($0) },
        value("percent-decoding the values, with plus signs as blanks") {
            decoded($0, plus: true)
        },
        value("percent-decoding the values twice") { decoded(decoded($0)) },
        key("percent-encoding the values") { decoded($0) },
        key("percent-encoding the values, with blanks as plus signs") {
            decoded($0, plus: true)
        },
        key("percent-encoding the values twice") { decoded(decoded($0)) },
    ]

    static let unicodeForms = [
        Way(words: "composing the values (NFC)") {
            hasMarks($0.value) && !hasMarks($0.key.bytes)
        },
        Way(words: "decomposing the values (NFD)") {
            !hasMarks($0.value) && hasMarks($0.key.bytes)
        },
    ]

    static let cases = [
        value("putting the values into lower case") { KeyForms.lowercased($0) },
        value("putting the values into upper case") { uppercased($0) },
        key("putting the values into upper or mixed case") { KeyForms.lowercased($0) },
    ]

    static let slashes = [
        value("removing the slash before the values") { Array($0.drop { $0 == slash }) },
        value("removing the slash behind the values") { bytes in
            Array(bytes.reversed().drop { $0 == slash }.reversed())
        },
        value("replacing the backslashes in the values by slashes") { bytes in
            bytes.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        },
        value("making doubled slashes in the values single") { KeyForms.slashed($0) },
        key("putting a slash behind the values") { bytes in
            Array(bytes.reversed().drop { $0 == slash }.reversed())
        },
        Way(words: "putting a slash before the keys that the values mean") { pair in
            pair.key.bytes.first == slash
                && pair.key.bytes.dropFirst().elementsEqual(
                    pair.meant.bytes)
        },
    ]

    private static let slash = UInt8(ascii: "/")

    private static func decoded(_ bytes: [UInt8], plus: Bool = false) -> [UInt8] {
        PercentCoding.decoded(bytes[...], plusIsBlank: plus)
    }

    private static func uppercased(_ bytes: [UInt8]) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).uppercased().utf8)
    }

    private static func hasMarks(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            $0.properties.canonicalCombiningClass != .notReordered
        }
    }
}
