import MooringModel

/// A file that is read in pieces, each while the one before it is worked on.
protocol FileReading: Actor {
    /// What is read: rows, or objects.
    associatedtype Piece: Sendable

    /// Opens the file.
    func begin() async

    /// The next pieces; none at the end.
    func next() async -> [Piece]

    /// The result, when there are no pieces any more.
    func finish() -> ScanResult
}

/// Hands over the pieces of a file, and reads the next ones meanwhile, by another thread.
func readAhead<Reading: FileReading>(
    _ reading: Reading, _ receive: ([Reading.Piece]) async throws -> Void
) async throws -> ScanResult {
    await reading.begin()
    var pieces = await reading.next()
    while !pieces.isEmpty {
        async let ahead = reading.next()
        try await receive(pieces)
        pieces = await ahead
    }
    return await reading.finish()
}
