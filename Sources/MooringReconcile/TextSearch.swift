import MooringModel

/// Finds the texts in a stored value that may be keys: the whole value, every string of a JSON
/// value, tokens of a longer text, and the paths of URLs, percent-decoded too.
///
/// It sees no key with blanks, quotes or brackets inside a longer text, no key that was encoded in
/// any other way, and no part of a path that is no URL and has no leading slash.
struct TextSearch {
    private static let delimiters: Set<UInt8> = Set(
        [0x00, 0x09, 0x0A, 0x0D, 0x20] + Array("\"'`<>()[]{},;|\\^=".utf8))
    private static let trailing: Set<UInt8> = Set(Array(".:!?".utf8))
    private static let depthLimit = 4

    /// Shorter and longer texts are skipped.
    let lengths: ClosedRange<Int>
    /// Called with every text of a fitting length.
    let visit: (ArraySlice<UInt8>) -> Void

    /// Searches one value.
    func search(_ bytes: [UInt8], depth: Int = 0) {
        guard bytes.count >= lengths.lowerBound else { return }
        offer(bytes[...])
        if depth < Self.depthLimit, let first = bytes.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
                || first == UInt8(ascii: "\"")
        {
            // A text that only looks like JSON is searched by its tokens below.
            if let node = try? JSONNode(parsing: bytes) { return search(node, depth: depth + 1) }
        }
        for token in bytes.split(whereSeparator: Self.delimiters.contains) {
            var token = token
            while let last = token.last, Self.trailing.contains(last) { token = token.dropLast() }
            guard token.count >= lengths.lowerBound else { continue }
            if token.count < bytes.count { offer(token) }
            searchPath(token)
        }
        // The whole value may be a path with blanks in it.
        if bytes.contains(0x20) { searchPath(bytes[...]) }
    }

    private func search(_ node: JSONNode, depth: Int) {
        switch node.kind {
        case .string(let bytes): search(bytes, depth: depth)
        case .array(let nodes): for node in nodes { search(node, depth: depth) }
        case .object(let members):
            for member in members {
                search(member.name, depth: depth)
                search(member.value, depth: depth)
            }
        default: break
        }
    }

    private func searchPath(_ token: ArraySlice<UInt8>) {
        let slash = UInt8(ascii: "/")
        var path = token
        if let scheme = Self.schemeEnd(token) {
            guard let start = token[scheme...].firstIndex(of: slash) else { return }
            path = token[start...]
            offerTails(path)
            if let end = path.firstIndex(where: {
                $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
            }) {
                path = path[..<end]
                offerTails(path)
            }
        } else if token.first == slash {
            offerTails(token)
        }
        guard path.contains(UInt8(ascii: "%")) else { return }
        let decoded = Self.percentDecoded(path)
        if path.first == slash { offerTails(decoded[...]) } else { offer(decoded[...]) }
    }

    // Everything behind each slash: a path may begin with a bucket's name or a server's folder.
    private func offerTails(_ path: ArraySlice<UInt8>) {
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            offer(path[(index + 1)...])
        }
    }

    private func offer(_ text: ArraySlice<UInt8>) {
        if lengths.contains(text.count) { visit(text) }
    }

    private static func schemeEnd(_ token: ArraySlice<UInt8>) -> Int? {
        guard let colon = token.prefix(16).firstIndex(of: UInt8(ascii: ":")),
            token[colon...].starts(with: "://".utf8)
        else { return nil }
        return colon + 3
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
