/// Paths as a file system takes them: `//`, `./` and `a/../` change nothing.
enum PathForm {
    private static let slash = UInt8(ascii: "/")

    /// The path of the file that a key means in a folder; nil where it is written so already, or
    /// leads out of the folder.
    static func normal(_ key: [UInt8]) -> [UInt8]? {
        var parts: [ArraySlice<UInt8>] = []
        for part in key.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) {
                if parts.popLast() == nil { return nil }
            } else {
                parts.append(part)
            }
        }
        let normal = Array(parts.joined(separator: [slash]))
        return normal == key || normal.isEmpty ? nil : normal
    }

    /// A text in which every path is written so, as far as it stands in the text.
    static func folded(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            guard text[place] == slash else {
                output.append(text[place])
                place += 1
                continue
            }
            let rest = text[(place + 1)...]
            if rest.first == slash {
                place += 1
            } else if rest.starts(with: "./".utf8) {
                place += 2
            } else if rest.starts(with: "../".utf8) {
                dropPart(&output)
                place += 3
            } else {
                output.append(slash)
                place += 1
            }
        }
        return output
    }

    // Back to the slash before the last part, which is written again, or to the path's beginning,
    // where none is to be written.
    private static func dropPart(_ output: inout [UInt8]) {
        while let last = output.last, last != slash, !isBorder(last) { output.removeLast() }
        if output.last == slash { output.removeLast() }
    }

    private static func isBorder(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "\"'()<>[]{},;=".utf8.contains(byte)
    }
}
