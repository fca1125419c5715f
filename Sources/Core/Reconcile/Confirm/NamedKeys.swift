import MooringModel

/// The texts inside a value that may be keys, as people and programs write them: to be asked for
/// by name where no listing was read.
///
/// Offered are the texts that `TextSearch` finds in every form of the value, what stands between
/// brackets and punctuation with its blanks, names of several words that have an ending, and of
/// all of them the tails behind each slash, colon and backslash.
package enum NamedKeys {
    private static let longest = 1_024
    // A longer value holds more texts than anybody looks for.
    private static let searchedLimit = 65_536
    private static let phraseLimit = 8
    private static let endingLimit = 5

    /// Texts of a value beside those that are known, each once, and whether there are more of
    /// them. `foldsPaths` tells whether a folder may be meant, where `a/../b` is `b`.
    package static func texts(
        in value: [UInt8], atMost limit: Int, foldsPaths: Bool, besides known: Set<[UInt8]>
    ) -> (texts: [[UInt8]], isCutOff: Bool) {
        guard value.count <= searchedLimit else { return ([], true) }
        var seen = known
        var texts: [[UInt8]] = []
        var isCutOff = false
        func offer(_ text: ArraySlice<UInt8>) {
            guard !isCutOff, (1...longest).contains(text.count),
                seen.insert(Array(text)).inserted
            else { return }
            if texts.count < limit { texts.append(Array(text)) } else { isCutOff = true }
        }
        func offerTails(_ text: ArraySlice<UInt8>) {
            offer(text)
            for index in text.indices where joints.contains(text[index]) {
                offer(text[(index + 1)...])
            }
        }
        TextForms(foldsPaths: foldsPaths).each(of: value) { form in
            guard !isCutOff else { return }
            TextSearch(lengths: 1...longest) { offerTails($0) }.search(form)
            for part in form.split(whereSeparator: { borders.contains($0) }) {
                offerTails(trimmed(part))
                phrases(in: part) { offerTails($0) }
            }
        }
        return (texts, isCutOff)
    }

    /// Whether a value holds more texts beside itself than so many, where a folder may be meant.
    package static func areMore(than limit: Int, in value: [UInt8]) -> Bool {
        !areFew(in: value, limit)
            && texts(in: value, atMost: limit, foldsPaths: true, besides: [value]).isCutOff
    }

    // Every text begins at the beginning or behind a sign, and ends at the end or before one: in
    // the value, and in its path as a folder takes it. Another form may hold more.
    private static func areFew(in value: [UInt8], _ limit: Int) -> Bool {
        guard value.count <= searchedLimit,
            !value.withUnsafeBufferPointer({ Coding.mayChange($0, false) })
        else { return false }
        let signs = value.count { byte in
            byte < 0x80 && !isAlphanumeric(byte) && byte != UInt8(ascii: "-")
        }
        return (signs + 1) * (signs + 2) <= limit
    }

    /// Whether a text may be a record's identifier rather than the name of a file.
    package static func isIdentifier(_ text: [UInt8]) -> Bool { KeyTemplate.isIdentifier(text) }

    // What a key's tail may stand behind: folders, schemes and prefixes, Windows' own paths.
    private static let joints: Set<UInt8> = Set("/:\\".utf8)
    private static let borders: Set<UInt8> =
        Set("\"<>`'()[]{},;|^=&?#".utf8).union([0x00, 0x09, 0x0A, 0x0D])

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let first = text.firstIndex { $0 != 0x20 } ?? text.endIndex
        let last = text.lastIndex { $0 != 0x20 }
        return last.map { text[first...$0] } ?? []
    }

    // A name with blanks inside a sentence ends with its ending; a few words before it may be its
    // own.
    private static func phrases(
        in part: ArraySlice<UInt8>, _ visit: (ArraySlice<UInt8>) -> Void
    ) {
        let words = part.split(separator: 0x20)
        for (place, word) in words.enumerated() {
            guard place > 0, let end = ending(of: word) else { continue }
            for start in max(0, place - phraseLimit)..<place {
                visit(part[words[start].startIndex..<end])
            }
        }
    }

    // Behind a name's ending, without a sentence's own full stop; nil where the word has none.
    private static func ending(of word: ArraySlice<UInt8>) -> Int? {
        var word = word
        while let last = word.last, ".!:".utf8.contains(last) { word = word.dropLast() }
        guard let dot = word.lastIndex(of: UInt8(ascii: ".")), dot > word.startIndex else {
            return nil
        }
        let ending = word[(dot + 1)...]
        return (1...endingLimit).contains(ending.count) && ending.allSatisfy(isAlphanumeric)
            ? word.endIndex : nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
}
