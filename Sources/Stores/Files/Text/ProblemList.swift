import MooringModel

/// The problems of one scan: the first are kept, all are counted.
struct ProblemList {
    /// Always refuses: a copy never serves a repair.
    private(set) var kept: [ScanProblem] = []
    /// Always refuses: a copy never serves a repair.
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
