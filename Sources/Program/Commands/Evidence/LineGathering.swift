/// Gathers the lines of a text that comes in pieces; the longest has a bound.
struct LineGathering {
    /// That a line is longer than the bound.
    struct TooLong: Error {}

    private var rest: [UInt8] = []
    private let limit: Int

    /// A gathering of lines of at most so many bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Hands over the lines that a piece completes, without their line feeds.
    mutating func add(_ piece: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: 0x0A) {
            rest += piece[start..<end]
            guard rest.count <= limit else { throw TooLong() }
            try take(rest)
            rest.removeAll(keepingCapacity: true)
            start = end + 1
        }
        rest += piece[start...]
        guard rest.count <= limit else { throw TooLong() }
    }

    /// Whether the text ended with a line feed.
    var isWhole: Bool { rest.isEmpty }
}
