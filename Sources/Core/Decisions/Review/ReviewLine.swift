import MooringModel
import MooringText

/// What somebody decided on a step.
package enum ReviewWord: String, Hashable, Sendable, CaseIterable {
    case approve, keep

    /// What a cell says, in whatever case a spreadsheet put it; nil of one that says something else
    /// or nothing.
    package init?(_ cell: [UInt8]) {
        let word = cell.trimmingBlanks.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        guard let known = Self.allCases.first(where: { word.elementsEqual($0.rawValue.utf8) })
        else { return nil }
        self = known
    }
}

/// One row of a file that somebody decided in.
package struct ReviewLine: Hashable, Sendable {
    /// Where a row stands: the number of its file, as they were named, and its line, from 1.
    package struct Place: Hashable, Sendable, Comparable {
        /// The file's number, from 0.
        package let file: Int
        /// The line on which the row begins.
        package let line: Int

        /// A place.
        package init(file: Int, line: Int) {
            self.file = file
            self.line = line
        }

        package static func < (one: Place, other: Place) -> Bool {
            (one.file, one.line) < (other.file, other.line)
        }
    }

    /// Where it stands.
    package let place: Place
    /// The decision; nil where there is none yet.
    package let word: ReviewWord?
    /// What was decided on.
    package let seen: SeenState
    /// What the row says beside it, for people; nil where its column was taken out.
    package var strategy: String?
    package var finding: String?
    package var key: [UInt8]?

    /// A row without what stands there for people.
    package init(_ word: ReviewWord?, on seen: SeenState, at place: Place) {
        self.word = word
        self.seen = seen
        self.place = place
    }

    /// Whether the row's cells belong together, as far as today's step tells. Whoever sorts one
    /// column alone tears every row apart, and would approve what stood elsewhere.
    ///
    /// Only letters and digits of ASCII are compared of a key: spreadsheets save others in
    /// encodings of their own, and drop an apostrophe.
    func belongs(to step: PlannedStep) -> Bool {
        if let finding, SeenState.isHexadecimal(finding), finding != seen.finding,
            finding.utf8.count == seen.finding.utf8.count
        {
            return false
        }
        guard let key else { return true }
        let shown = step.step.key.map { ForeignBytes.text($0.bytes) } ?? ""
        return Self.skeleton(shown.utf8).elementsEqual(Self.skeleton(key))
    }

    private static func skeleton(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.filter {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
    }
}

extension [UInt8] {
    /// The bytes without blanks, tabs and line breaks at both ends.
    package var trimmingBlanks: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let head = drop(while: isBlank)
        return head[..<(head.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? head.startIndex)]
    }
}
