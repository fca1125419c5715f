import MooringModel

/// The ends of a key's path under which apps hold files whose folder they know: the name, and the
/// name with the folder that it lies in.
enum PathEnds {
    private static let slash = UInt8(ascii: "/")
    // Shorter ones stand in texts that mean something else.
    private static let shortest = NeedleIndex.freeLength
    private static let deepest = 2
    /// An end that is that of more wanted keys names none of them.
    static let few = 8

    /// The ends of a key that say which file it is: those of a file's name, and of one that tells
    /// its folders itself, as where files are spread by the beginnings of their names. A name that
    /// may be a record's identifier stands wherever that record is meant, and is none.
    static func of(_ key: ObjectKey) -> [ArraySlice<UInt8>] {
        let parts = key.bytes.split(separator: slash, omittingEmptySubsequences: false)
        guard parts.count > 1, let name = parts.last, !name.isEmpty else { return [] }
        guard isFile(name) || isSpread(name, parts.dropLast()) else { return [] }
        return (1...deepest).filter { $0 < parts.count }.compactMap { count in
            let end = key.bytes[parts[parts.count - count].startIndex...]
            return end.count >= shortest ? end : nil
        }
    }

    // A name with an ending, or with blanks.
    private static func isFile(_ name: ArraySlice<UInt8>) -> Bool {
        !KeyTemplate.isIdentifier(Array(name))
    }

    // `xt/ap/xtapjjci…`: the folder's name is part of the file's.
    private static func isSpread(
        _ name: ArraySlice<UInt8>, _ folders: ArraySlice<ArraySlice<UInt8>>
    ) -> Bool {
        guard let folder = folders.last, !folder.isEmpty, folder.count < name.count else {
            return false
        }
        let outer = folders.dropLast().last ?? []
        return name.starts(with: folder) || name.starts(with: outer + folder)
    }

    /// Whether an end that stands in a text is a name there, and not part of a longer one. The
    /// folders before it may be those under which the app serves it, or had it before; those of a
    /// key that a reference misses are its own.
    static func standsAlone(_ range: Range<Int>, in text: [UInt8], isKey: Bool) -> Bool {
        text.withUnsafeBytes { text in
            guard Delimiters.end(at: range.upperBound, of: text),
                range.upperBound == text.count || !isSlash(text[range.upperBound])
            else { return false }
            var start = range.lowerBound
            guard start > 0 else { return true }
            guard Delimiters.hold(text[start - 1]) else { return false }
            guard isKey, isSlash(text[start - 1]) else { return true }
            // `./name`, `../name` and `/name` lie below a folder that the text does not name.
            start -= 1
            while start > 0, text[start - 1] == UInt8(ascii: ".") { start -= 1 }
            return start == 0 || Delimiters.hold(text[start - 1]) && !isSlash(text[start - 1])
                || isRelative(start, text)
        }
    }

    // Behind `../` there may be more of them.
    private static func isRelative(_ place: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        place >= 2 && isSlash(text[place - 1]) && text[place - 2] == UInt8(ascii: ".")
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == slash || byte == 0x5C }
}
