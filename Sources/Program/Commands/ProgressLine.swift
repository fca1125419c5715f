import MooringModel
import MooringPipeline
import MooringReporting

/// One line about how far a stage is.
struct ProgressLine {
    /// What is done.
    var stage = ""
    /// Where it stands in the run; nil where the run has no phases.
    var phase: Phase?
    /// Items that are done.
    var count = 0
    /// About how many there are; nil where nobody knows.
    var expected: Int?

    private static let columns = 79

    /// The line after so long: at most 79 columns, of which the stage's name gives way.
    func text(after time: Duration) -> String {
        let rate = Double(count) * 1e9 / Double(max(time.nanoseconds, 1_000_000))
        var facts = Figures.grouped(count)
        if let expected, expected >= count, expected > 0 {
            facts += " of about \(Figures.grouped(expected))"
            facts += " (\(Int(Double(count) / Double(expected) * 100)) %)"
        }
        if count > 0 { facts += ", \(Figures.grouped(Int(rate.rounded())))/s" }
        if let expected, expected > count, count > 0 {
            let rest = Double(expected - count) / rate
            facts += ", \(Duration.seconds(Int64(rest.rounded(.up))).label) left"
        } else {
            facts += ", \(Duration.seconds(time.components.seconds).label)"
        }
        let place = phase.map { "\($0.rawValue)/\(Phase.allCases.count) " } ?? ""
        let room = Self.columns - place.count - facts.count - 2
        let name = stage.count > room ? stage.prefix(max(room - 3, 0)) + "..." : stage[...]
        return place + name + ": " + facts
    }
}
