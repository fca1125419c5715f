import MooringModel
import MooringPipeline

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
        let seconds = max(time.seconds, 0.001)
        let rate = Double(count) / seconds
        var facts = Self.grouped(count)
        if let expected, expected >= count, expected > 0 {
            facts += " of about \(Self.grouped(expected))"
            facts += " (\(Int(Double(count) / Double(expected) * 100)) %)"
        }
        if count > 0 { facts += ", \(Self.grouped(Int(rate.rounded())))/s" }
        if let expected, expected > count, count > 0 {
            facts += ", \(Self.duration(Double(expected - count) / rate)) left"
        } else {
            facts += ", \(Self.duration(seconds))"
        }
        let place = phase.map { "\($0.rawValue)/\(Phase.allCases.count) " } ?? ""
        let room = Self.columns - place.count - facts.count - 2
        let name = stage.count > room ? stage.prefix(max(room - 3, 0)) + "..." : stage[...]
        return place + name + ": " + facts
    }

    private static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return String(digits)
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
