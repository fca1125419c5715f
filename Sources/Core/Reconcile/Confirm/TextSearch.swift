import MooringModel

/// Finds the texts in a stored value that may be keys: the whole value, every string of a JSON
/// value, tokens of a longer text, and the paths of URLs, percent-decoded too.
///
/// A text is cut three times, each time finer: at quotes and angle brackets, at blanks, and at
/// brackets and punctuation, so that a key with blanks is found between quotes and one with
/// brackets between blanks. It sees no key that was encoded in any other way, and no part of a
/// path that is no URL and has no leading slash.
struct TextSearch {
    // The cuts by byte: 1 to 3 for the three of them, 0 for every other byte.
    private static let cuts: [UInt8] = {
        var cuts = [UInt8](repeating: 0, count: 256)
        for byte in [0x00, 0x0A, 0x0D] + Array("\"<>`".utf8) { cuts[Int(byte)] = 1 }
        for byte: UInt8 in [0x09, 0x20] { cuts[Int(byte)] = 2 }
        for byte in "'()[]{},;|\\^=&?#:".utf8 { cuts[Int(byte)] = 3 }
        return cuts
    }()
    private static let trailing: Set<UInt8> = Set(Array(".:!?,;".utf8))
    private static let trailingLimit = 3
    private static let depthLimit = 4

    /// Shorter and longer texts are skipped.
    let lengths: ClosedRange<Int>
    /// Called with every text of a fitting length, the same one perhaps several times.
    let visit: (ArraySlice<UInt8>) -> Void

    /// Searches one value.
    func search(_ bytes: [UInt8], depth: Int = 0) {
        guard bytes.count >= lengths.lowerBound else { return }
        offer(bytes[...])
        // A column of a fixed width pads with blanks.
        if bytes.last == 0x20 {
            offer(bytes[..<(bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0)])
        }
        if depth < Self.depthLimit, let first = bytes.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
                || first == UInt8(ascii: "\"")
        {
            // A text that only looks like JSON is searched by its tokens below.
            if let node = try? JSONNode(parsing: bytes) { return search(node, depth: depth + 1) }
            let plain = JSONEscapes.removed(from: bytes)
            if plain != bytes {
                searchPath(plain[...])
                cut(plain[...], 1)
            }
        }
        searchPath(bytes[...])
        cut(bytes[...], 1)
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

    private func cut(_ text: ArraySlice<UInt8>, _ cut: UInt8) {
        guard cut <= 3 else { return }
        let cuts = Self.cuts
        guard text.contains(where: { cuts[Int($0)] == cut }) else {
            return self.cut(text, cut + 1)
        }
        for token in text.split(whereSeparator: { cuts[Int($0)] == cut })
        where token.count >= lengths.lowerBound {
            searchToken(token)
            self.cut(token, cut + 1)
        }
    }

    // A full stop behind a key may belong to the sentence, or to the key.
    private func searchToken(_ token: ArraySlice<UInt8>) {
        offer(token)
        searchPath(token)
        guard let last = token.last, Self.trailing.contains(last) else { return }
        var rest = token
        for _ in 0..<Self.trailingLimit {
            guard let last = rest.last, Self.trailing.contains(last) else { break }
            rest = rest.dropLast()
            offer(rest)
        }
        while let last = rest.last, Self.trailing.contains(last) { rest = rest.dropLast() }
        offer(rest)
        searchPath(rest)
    }

    private func searchPath(_ token: ArraySlice<UInt8>) {
        let slash = UInt8(ascii: "/")
        var path = token
        if let scheme = Self.schemeEnd(token) {
            guard let start = token[scheme...].firstIndex(of: slash) else { return }
            path = token[start...]
        }
        let isPath = path.first == slash
        offerDecoded(path, isPath: isPath)
        guard
            let end = path.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else { return }
        if !isPath { offer(path[..<end]) }
        offerDecoded(path[..<end], isPath: isPath)
    }

    private func offerDecoded(_ path: ArraySlice<UInt8>, isPath: Bool) {
        if isPath { offerTails(path) }
        let hasPlus = path.contains(UInt8(ascii: "+"))
        guard hasPlus || path.contains(UInt8(ascii: "%")) else { return }
        for plusIsBlank in hasPlus ? [false, true] : [false] {
            let decoded = PercentCoding.decoded(path, plusIsBlank: plusIsBlank)
            if isPath { offerTails(decoded[...]) } else { offer(decoded[...]) }
        }
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
}
