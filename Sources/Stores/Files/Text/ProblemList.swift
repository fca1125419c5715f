import MooringModel

/// The problems of one scan: the first are kept, all are counted.
struct ProblemList {
    /// The first ones, at most `ScanResult.problemLimit`.
    private(set) var kept: [ScanProblem] = []
    /// All of them, kept or not.
    private(set) var count = 0
    private var outsideCount = 0

    /// Adds a problem.
    mutating func add(_ problem: ScanProblem) {
        count += 1
        if problem.isOutside { outsideCount += 1 }
        if kept.count < ScanResult.problemLimit { kept.append(problem) }
    }

    /// The scan's result.
    func result(window: ScanWindow, consistency: String) -> ScanResult {
        ScanResult(
            window: window, problems: kept, problemCount: count, outsideCount: outsideCount,
            consistency: consistency)
    }
}
