import Testing

/// A command is a page: options in, a course of the pipeline, an exit status out.
struct CommandTests {
    /// What conducts a run, or guards it.
    private static let conducting = [
        "ScanStage", "ConfirmStage", "JudgeStage", "GuardStage", "PlanStage", "RepairStage",
        "SweepStage", "UndoStage", "EraseStage", "WatchStage", "ResumeStage", "RebuildStage",
        "IdentityStage", "CapabilityStage", "VanishedStage", "Rights", "ActingRights", "Guards",
        "GuardFacts", "PlanGuards", "SweepGuards", "EraseGuards", "EraseRemains", "LostPlaces",
    ]
    /// What asks a store, or changes one.
    private static let stores = [
        "list", "listQuarantine", "head", "capabilities", "measureClock", "readLease", "rows",
        "quarantine", "restore", "sweep", "undelete", "tagValue",
    ]

    @Test("No command makes a stage, a guard or rights: the pipeline conducts")
    func conductors() throws {
        expectNone(
            try Self.breaches(in: Repository.files(below: Self.folder, extensions: ["swift"])) {
                words, place in
                Self.conducting.contains(words[place]) && place + 1 < words.count
                    && words[place + 1] == "("
            })
    }

    @Test("No command's page asks a store or changes one")
    func pages() throws {
        let pages = Repository.files(below: Self.folder, extensions: ["swift"])
            .filter { $0.hasSuffix("Command.swift") }
        try #require(pages.count > 10)
        expectNone(
            try Self.breaches(in: pages) { words, place in
                place > 1 && words[place - 1] == "." && Self.stores.contains(words[place])
                    && place + 1 < words.count && ["(", "{"].contains(words[place + 1])
                    && words[place - 2].lowercased().hasSuffix("bucket")
            })
    }

    private static let folder = "Sources/Program/Commands"

    private static func breaches(
        in paths: [String], _ isBreach: ([String], Int) -> Bool
    ) throws -> [String] {
        try paths.flatMap { path in
            let source = SwiftSource(path: path, text: try Repository.text(path))
            return source.code.enumerated().flatMap { number, line in
                let words = Token.all(in: [line]).map(\.text)
                return words.indices.filter { isBreach(words, $0) }.map {
                    "\(path):\(number + 1): \(words[$0])"
                }
            }
        }
    }
}
