import Testing

/// What changes a store is handed out by `Rights` alone, so nobody else turns a reader into it.
struct PowerTests {
    // A bucket is wrapped by the quarantine that it had before anybody asks for rights on it.
    private static let allowed = [
        "Sources/Pipeline/Rights/", "Sources/Pipeline/Stores/EarlierQuarantines.swift",
    ]

    @Test("Only rights turn what reads into what acts")
    func casts() throws {
        let files = Repository.files(below: "Sources", extensions: ["swift"])
        #expect(files.count > 100)
        let (rights, others) = (
            files.filter { path in Self.allowed.contains { path.hasPrefix($0) } },
            files.filter { path in !Self.allowed.contains { path.hasPrefix($0) } }
        )
        #expect(try !Self.casts(in: rights).isEmpty, "the pattern finds none any more")
        expectNone(try Self.casts(in: others))
    }

    private static func casts(in paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            SwiftSource(path: path, text: try Repository.text(path)).code.enumerated().compactMap {
                let line = String(decoding: $0.element, as: UTF8.self)
                return line.contains(/\b(?:as.?|is) any Acting|\bactingBuckets\b/)
                    ? "\(path):\($0.offset + 1): \(line)" : nil
            }
        }
    }
}
