import Testing

/// The pipeline reads as its drawing: a stage is one transition, a border one type in a file of
/// its own.
struct BorderTests {
    private static let borders = [
        "Scan/Observations", "Reconcile/Candidates", "Confirm/Confirmed", "Judge/Judged",
        "Guard/Guarded", "Plan/GuardedPlan", "Repair/StepResult",
    ]
    private static let stages = [
        "Scan/ScanStage", "Reconcile/ReconcileStage", "Confirm/ConfirmStage", "Judge/JudgeStage",
        "Judge/MappingStage", "Guard/GuardStage", "Remember/QuarantineStage",
        "Remember/RememberStage", "Plan/PlanStage", "Repair/ResumeStage",
        "Repair/RepairStage", "Sweep/SweepStage", "Undo/UndoStage", "Erase/EraseStage",
    ]

    @Test("Each border is a type in a file of its own, named in the drawing", arguments: borders)
    func border(_ path: String) throws {
        let name = path.split(separator: "/")[1]
        let text = try Repository.text("Sources/Pipeline/\(path).swift")
        #expect(text.contains("struct \(name)"))
        #expect(try Repository.text("Sources/ARCHITECTURE.md").contains(name))
    }

    @Test("Each stage has one verb", arguments: stages)
    func stage(_ path: String) throws {
        let name = path.split(separator: "/")[1]
        let text = try Repository.text("Sources/Pipeline/\(path).swift")
        #expect(text.contains("struct \(name)") && text.contains("func run("))
    }

    @Test("No number of pass B leaves the confirm stage")
    func numbers() throws {
        let folder = "Sources/Pipeline"
        let files = ["Scan", "Reconcile", "Judge", "Guard", "Plan", "Sweep"].flatMap {
            Repository.files(below: "\(folder)/\($0)", extensions: ["swift"])
        }
        try #require(files.count > 40)
        expectNone(
            try files.filter {
                try Repository.text($0).contains("ConfirmScan(")
                    || Repository.text($0).contains(".scan.standing")
                    || Repository.text($0).contains(".scan.referenced")
            })
    }
}
