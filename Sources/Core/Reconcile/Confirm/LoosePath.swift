import MooringModel

/// A path without what spellings of one name differ in: case, Unicode form, all that is no letter
/// and no digit, the kind of slash, the ending of the file's name, and an encoding that another
/// system took it for.
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
        let bytes = Array(path)
        if bytes.allSatisfy({ $0 < 0x80 }) {
            guard let text = Self.squashed(ascii: bytes) else { return nil }
            self.text = text
            return
        }
        let text = FileName.decoded(path)
        var parts = text.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let last = parts.popLast() else { return nil }
        parts.append(FileName.stem(of: last) ?? last)
        let joined = parts.map(FileName.squashed).filter { !$0.isEmpty }.joined(separator: "/")
        guard !joined.isEmpty else { return nil }
        self.text = joined
    }

    // The loose form of a path that is ASCII alone.
    private static func squashed(ascii path: [UInt8]) -> String? {
        path.withUnsafeBufferPointer { path in
            var end = path.count
            while end > 0, path[end - 1] == slash { end -= 1 }
            guard end > 0 else { return nil }
            // A part takes twice its bytes at most, and a slash.
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * end) { room in
                var (start, count) = (0, 0)
                func append(_ part: UnsafeBufferPointer<UInt8>) {
                    count += FileName.squash(
                        part, into: UnsafeMutableBufferPointer(rebasing: room[count...]))
                }
                while let next = path[start..<end].firstIndex(of: slash) {
                    if next > start {
                        append(UnsafeBufferPointer(rebasing: path[start..<next]))
                        room[count] = slash
                        count += 1
                    }
                    start = next + 1
                }
                let name = UnsafeBufferPointer(rebasing: path[start..<end])
                append(FileName.stem(ascii: name) ?? name)
                return String(decoding: room[..<count], as: UTF8.self)
            }
        }
    }

    /// Its parts, of which it has one at least.
    var parts: [Substring] { text.split(separator: "/") }

    /// The ASCII bytes of its last part; nil where it has others.
    var plainName: [UInt8]? {
        let bytes = Array(text.utf8)
        let start = bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return bytes[start...].allSatisfy { $0 < 0x80 } ? Array(bytes[start...]) : nil
    }

    /// The same of a path whose last part is ASCII, without its other parts, for as long as it is
    /// handed over; nil where it takes a closer look.
    static func withPlainName<Result>(
        of path: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        plainStem(of: LastPart(of: path)).map { FileName.withSquashed($0, body) }
    }

    /// The last letters and digits of that name, eight at most, as one number; nil where it takes a
    /// closer look.
    static func plainEnd(of name: LastPart) -> UInt64? {
        plainStem(of: name).map(FileName.end)
    }

    private static func plainStem(of part: LastPart) -> UnsafeBufferPointer<UInt8>? {
        let name = part.bytes
        guard !name.isEmpty, !part.followsForeign, !ByteBlocks.holdUnprintable(in: name) else {
            return nil
        }
        return FileName.stem(ascii: name) ?? name
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
        var name = name
        let plain = name.withUTF8 { bytes -> String?? in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return .some(stem(ascii: bytes).map { String(decoding: $0, as: UTF8.self) })
        }
        if let plain { return plain }
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...]
        guard (1...longestEnding).contains(ending.count),
            ending.allSatisfy({ $0.isLetter || $0.isNumber })
        else { return nil }
        return String(name[..<dot])
    }

    /// The same of a name that is ASCII alone.
    static func stem(
        ascii name: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        guard let dot = name.suffix(longestEnding + 1).lastIndex(of: UInt8(ascii: ".")), dot > 0,
            dot < name.count - 1, name[(dot + 1)...].allSatisfy(isLetterOrDigit)
        else { return nil }
        return UnsafeBufferPointer(rebasing: name[..<dot])
    }

    // More letters behind a dot are no ending.
    private static let longestEnding = 5

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The name in lower case and plain letters, without all that is no letter and no digit; what
    /// stands between two numbers keeps them apart, but for dashes. A name of other characters
    /// alone is left as it is.
    static func squashed(_ name: String) -> String {
        var name = name
        let plain = name.withUTF8 { bytes -> String? in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return withSquashed(bytes) { String(decoding: $0, as: UTF8.self) }
        }
        if let plain { return plain }
        var kept = String.UnicodeScalarView()
        var isApart = false
        for scalar in CompatibleForm.scalars(of: name) {
            let properties = scalar.properties
            let isNumber = properties.numericType != nil
            let isMark = properties.isDiacritic && scalar.value >= 0x80
            if isNumber || isMark || properties.isAlphabetic {
                if isApart, isNumber, kept.last?.properties.numericType != nil { kept.append(".") }
                kept.append(scalar)
                isApart = false
            } else if !properties.isDefaultIgnorableCodePoint, !properties.isDash {
                isApart = true
            }
        }
        return kept.isEmpty ? name : String(kept).lowercased()
    }

    /// The last letters and digits of a name in ASCII, eight at most, as one number: names that are
    /// squashed to the same have the same.
    static func end(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var (end, count, place) = (UInt64(0), 0, name.count)
        while place > 0, count < 8 {
            place -= 1
            let byte = name[place]
            let lower = byte | 0x20
            let isNumber = isDigit(byte)
            guard isNumber || lower &- UInt8(ascii: "a") < 26 else { continue }
            end = end << 8 | UInt64(isNumber ? byte : lower)
            count += 1
        }
        return end
    }

    /// A name that is ASCII alone as `squashed` has it, for as long as it is handed over.
    static func withSquashed<Result>(
        _ name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count * 2) { room in
            let count = squash(name, into: room)
            return body(UnsafeBufferPointer(rebasing: room[..<count]))
        }
    }

    /// Writes the same into room for twice the name, and gives how many bytes of it that takes.
    static func squash(
        _ name: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var (count, last, isApart) = (0, UInt8(0), false)
        for byte in name {
            let isNumber = isDigit(byte)
            let lower = byte | 0x20
            let isLetter = lower &- UInt8(ascii: "a") < 26
            if isApart, isNumber, isDigit(last) {
                room[count] = UInt8(ascii: ".")
                count += 1
            }
            let isKept = isNumber || isLetter
            // Whether it is kept is not foreseen: it is written, and perhaps written over.
            room[count] = isNumber ? byte : lower
            last = isKept ? room[count] : last
            count += isKept ? 1 : 0
            isApart = !isKept && (isApart || byte != UInt8(ascii: "-"))
        }
        guard count == 0 else { return count }
        return room.update(fromContentsOf: name)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// The text of a name, also where another system took its bytes for Latin-1, once, or wrote
    /// them so.
    static func decoded(_ name: some Collection<UInt8>) -> String {
        guard let text = String(validating: name, as: UTF8.self) else { return latin(name) }
        guard text.unicodeScalars.contains(where: { $0.value >= 0x80 }),
            text.unicodeScalars.allSatisfy({ $0.value < 0x100 })
        else { return text }
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    private static func latin(_ name: some Collection<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: name.map { Unicode.Scalar($0) })
        return String(scalars)
    }

    /// The names under which another place may hold the file of a path: its own, and without the
    /// second of two endings; none where it is so short that others have it too.
    static func loose(endOf path: some BidirectionalCollection<UInt8>) -> Set<String> {
        let start = path.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        let name = path[(start.map { path.index(after: $0) } ?? path.startIndex)...]
        guard name.count >= NeedleIndex.freeLength else { return [] }
        let text = decoded(name)
        let stem = stem(of: text).flatMap { Self.stem(of: $0) == nil ? nil : $0 }
        return Set([text, stem].compactMap { $0 }.map(squashed))
    }
}
