import MooringModel

/// A path without what spellings of one name differ in: case, Unicode form, dashes, characters that
/// are not seen, the kind of slash, and the ending of the file's name.
struct LoosePath: Hashable {
    // `String` compares and hashes by canonical equivalence.
    private let text: String

    private static let slash = UInt8(ascii: "/")
    // A value has so many beginnings at most from which it may be a path.
    private static let starts = 12
    // A value has so many readings at most, all of its forms together.
    private static let most = 256

    /// The loose form of a path; nil where nothing of it is left.
    init?(_ path: some Collection<UInt8>) {
        let text = String(decoding: path, as: UTF8.self)
        var parts = text.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let last = parts.popLast() else { return nil }
        parts.append(FileName.stem(of: last) ?? last)
        let joined = parts.map(FileName.squashed).filter { !$0.isEmpty }.joined(separator: "/")
        guard !joined.isEmpty else { return nil }
        self.text = joined
    }

    /// The ASCII bytes of its last part; nil where it has others.
    var plainName: [UInt8]? {
        let bytes = Array(text.utf8)
        let start = bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return bytes[start...].allSatisfy { $0 < 0x80 } ? Array(bytes[start...]) : nil
    }

    /// The same of a path that is ASCII alone, without its other parts; nil where it takes a closer
    /// look.
    static func plainName(of path: [UInt8]) -> [UInt8]? {
        let start = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
        var name = path[start...]
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > start,
            (1...5).contains(path.count - dot - 1), path[(dot + 1)...].allSatisfy(isLetterOrDigit)
        {
            name = name[..<dot]
        }
        guard path.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let plain = name.filter { $0 != UInt8(ascii: "-") }.map(TwinForm.lowercased)
        return plain.isEmpty ? nil : plain
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The paths that a value may spell: in every form of it, with and without a query, from its
    /// beginning and behind what may stand before a path, as a host, a drive or a bucket's name.
    /// Behind the latter one part alone would be any name, so that two are asked for.
    static func all(in value: [UInt8], _ forms: TextForms) -> Set<LoosePath> {
        var paths: Set<LoosePath> = []
        forms.each(of: value) { form in
            let trimmed = WholeValue.trimmed(form)
            var ends = [trimmed.endIndex]
            for mark in ["?", "#"] as [Character] {
                if let end = trimmed.firstIndex(of: mark.asciiValue ?? 0) { ends.append(end) }
            }
            for end in ends where paths.count < most {
                for path in tails(of: trimmed[..<end]) {
                    if let loose = LoosePath(path) { paths.insert(loose) }
                }
            }
        }
        return paths
    }

    private static func tails(of path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var tails = [path]
        for place in path.indices.dropLast() where tails.count < starts {
            guard path[place] == slash || path[place] == UInt8(ascii: ":") else { continue }
            let rest = path[(place + 1)...]
            if rest.first != slash, rest.contains(slash) { tails.append(rest) }
        }
        return tails
    }
}

/// What spellings of a file's name differ in.
enum FileName {
    /// The name without its ending; nil where it has none.
    static func stem(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...]
        guard (1...5).contains(ending.count), ending.allSatisfy({ $0.isLetter || $0.isNumber })
        else { return nil }
        return String(name[..<dot])
    }

    /// The name in lower case, without dashes, characters that are not seen, and blanks around it.
    static func squashed(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars
        where scalar != "-" && !scalar.properties.isDefaultIgnorableCodePoint {
            scalars.append(scalar)
        }
        let text = String(scalars).lowercased()
        let first = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let last = text.lastIndex { !$0.isWhitespace }
        return last.map { String(text[first...$0]) } ?? ""
    }
}
