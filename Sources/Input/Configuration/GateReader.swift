import MooringModel
import MooringText

/// Reads `gates`: `[new.]KIND[.VERDICT][.bytes] OP NUMBER`, with a size in place of the number
/// after `.bytes`.
struct GateReader {
    /// The root of the file.
    let root: Section

    /// The gates, in the order of the file.
    func read() -> [Gate] {
        (root.texts("gates") ?? []).compactMap { text in
            switch Self.gate(text.value) {
            case .success(let gate): return gate
            case .failure(let refusal):
                root.context.report(
                    "the gate '\(text.shown)': \(refusal.message)", line: text.line)
                return nil
            }
        }
    }

    /// Why a text is no gate.
    struct Refusal: Error {
        /// The sentence for the report.
        let message: String
    }

    /// One gate from its text.
    static func gate(_ text: String) -> Result<Gate, Refusal> {
        let isOperator = { (character: Character) in "=!<>".contains(character) }
        let subject = text.prefix { !isOperator($0) }
        let rest = text.dropFirst(subject.count)
        let symbol = rest.prefix(while: isOperator)
        let value = trimmed(rest.dropFirst(symbol.count))
        guard let comparison = Gate.Comparison(rawValue: String(symbol)) else {
            let known = Gate.Comparison.allCases.map(\.rawValue)
            return .failure(
                Refusal(
                    message: "needs one of \(known.inWords("or")), "
                        + "such as 'dangling.settled == 0'"))
        }
        do throws(Refusal) {
            let subject = try self.subject(trimmed(subject))
            return .success(
                Gate(
                    text: text, newOnly: subject.newOnly, kind: subject.kind,
                    verdict: subject.verdict, countsBytes: subject.countsBytes,
                    comparison: comparison,
                    value: try number(value, isSize: subject.countsBytes)))
        } catch {
            return .failure(error)
        }
    }

    private struct Subject {
        var newOnly: Bool
        var kind: FindingKind
        var verdict: Verdict?
        var countsBytes: Bool
    }

    private static func subject(_ text: String) throws(Refusal) -> Subject {
        var words = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let newOnly = words.count > 1 && words[0] == "new"
        if newOnly { words.removeFirst() }
        let countsBytes = words.count > 1 && words.last == "bytes"
        if countsBytes { words.removeLast() }
        let kinds = FindingKind.allCases.map(\.rawValue)
        guard let kind = FindingKind(rawValue: words[0]) else {
            throw Refusal(message: Nearest.unknown("kind", words[0], among: kinds))
        }
        guard words.count > 1 else {
            return Subject(newOnly: newOnly, kind: kind, verdict: nil, countsBytes: countsBytes)
        }
        guard let verdict = Verdict(rawValue: words[1]), words.count == 2 else {
            let known = Verdict.allCases.map(\.rawValue) + ["bytes"]
            if let found = words[1...].first(where: { !known.contains($0) }) {
                throw Refusal(message: Nearest.unknown("word", found, among: known))
            }
            throw Refusal(message: "needs the form [new.]KIND[.VERDICT][.bytes] on the left")
        }
        return Subject(newOnly: newOnly, kind: kind, verdict: verdict, countsBytes: countsBytes)
    }

    private static func number(_ text: String, isSize: Bool) throws(Refusal) -> Int64 {
        if isSize {
            do throws(QuantityError) {
                return try Quantity.size(text)
            } catch {
                throw Refusal(message: "'.bytes' \(error.description)")
            }
        }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = Int64(text) else {
            throw Refusal(
                message: "needs a whole number on the right, or '.bytes' on the left; "
                    + "found '\(text.printable)'")
        }
        return number
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let blanks = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
        return String(start.dropLast(blanks))
    }
}
