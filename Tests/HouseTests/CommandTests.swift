import Testing

/// A command is a page: options in, a course of the pipeline, an exit status out.
struct CommandTests {
    /// What conducts a run, or guards it.
    private static let conducting = [
        "ScanStage", "ConfirmStage", "JudgeStage", "GuardStage", "QuarantineStage",
        "RememberStage", "PlanStage", "RepairStage",
        "SweepStage", "UndoStage", "EraseStage", "WatchStage", "ResumeStage", "RebuildStage",
        "IdentityStage", "CapabilityStage", "VanishedStage", "Rights", "ActingRights", "Guards",
        "GuardFacts", "PlanGuards", "SweepGuards", "EraseGuards", "EraseRemains", "LostPlaces",
    ]
    /// What asks a store, or changes one.
    private static let stores = [
        "list", "listQuarantine", "head", "capabilities", "measureClock", "readLease", "rows",
        "quarantine", "restore", "sweep", "undelete", "tagValue", "tryOut",
    ]
    /// What asks a record source.
    private static let sources = [
        "scan", "rows", "columns", "readableColumns", "limits", "columnLimits", "unreadable",
        "cost", "foreignColumns", "identity", "measureClock",
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

    /// What asks stores all the same: a draft is made where there is no job yet, and `doctor` tells
    /// how far each store is reached.
    private static let asking = [
        "Init/ObjectFolder.swift", "Init/TableSample.swift", "Examination.swift",
        "CapabilityChecks.swift", "SourceChecks.swift",
    ]

    @Test("No command asks a store or changes one, but for drafts and examinations")
    func storeCalls() throws {
        let files = Repository.files(below: Self.folder, extensions: ["swift"])
            .filter { file in !Self.asking.contains { file.hasSuffix("/" + $0) } }
        try #require(files.count > 50)
        expectNone(
            try Self.breaches(in: files) { words, place in
                guard place > 1, words[place - 1] == ".", place + 1 < words.count,
                    ["(", "{"].contains(words[place + 1])
                else { return false }
                let asked = words[place - 2].lowercased()
                return asked.hasSuffix("bucket") && Self.stores.contains(words[place])
                    || asked.hasSuffix("source") && Self.sources.contains(words[place])
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
