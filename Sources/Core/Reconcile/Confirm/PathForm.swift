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
        text[...].replacing(slash) { place, output in
            let rest = text[(place + 1)...]
            if rest.first == slash { return place + 1 }
            if rest.starts(with: "./".utf8) { return place + 2 }
            if rest.starts(with: "../".utf8) {
                dropPart(&output)
                return place + 3
            }
            output.append(slash)
            return place + 1
        }
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
