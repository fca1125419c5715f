import MooringModel
import MooringText

/// Reads `gates`: `[new.]KIND[.VERDICT][.bytes] OP NUMBER`, with a size in place of the number
/// behind `.bytes`, or `share(…) OP PERCENT` of the same.
struct GateReader {
    /// The root of the file.
    let root: Section

    /// The gates, in the order of the file.
    func read() -> [Gate] {
        (root.texts("gates") ?? []).compactMap { text in
            do throws(Refusal) {
                return try Self.gate(text.value)
            } catch {
                root.context.report(
                    "the gate '\(text.shown)', character \(error.character): \(error.message)",
                    line: text.line)
                return nil
            }
        }
    }

    /// Why a text is no gate.
    struct Refusal: Error {
        /// The sentence for the report.
        let message: String
        /// Which character of the text is wrong, from 1; one behind the last where something is
        /// missing at its end.
        let character: Int
    }

    // A part of the gate, which knows where in the text it stands.
    private struct Part {
        let text: Substring

        func refused(_ message: String) -> Refusal {
            Refusal(
                message: message,
                character: text.base.distance(from: text.base.startIndex, to: text.startIndex) + 1)
        }

        // Without the blanks around it.
        var trimmed: Part {
            let start = text.drop { $0 == " " || $0 == "\t" }
            let blanks = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
            return Part(text: start.dropLast(blanks))
        }
    }

    private static let form = "[new.]KIND[.VERDICT][.bytes]"

    private static func gate(_ text: String) throws(Refusal) -> Gate {
        let isOperator = { (character: Character) in "=!<>".contains(character) }
        let left = text.prefix { !isOperator($0) }
        let symbol = text[left.endIndex...].prefix(while: isOperator)
        let right = Part(text: text[symbol.endIndex...]).trimmed
        guard let comparison = Gate.Comparison(rawValue: String(symbol)) else {
            let known = Gate.Comparison.allCases.map(\.rawValue)
            throw Part(text: symbol).refused(
                "needs one of \(known.inWords("or")), such as 'dangling.settled == 0'")
        }
        let whole = Part(text: left).trimmed
        let inside = try insideShare(whole)
        let subject = try subject(inside ?? whole)
        if inside != nil, subject.kind.whole == nil {
            throw whole.refused(
                "share() is not of \(subject.kind.rawValue), which is part of nothing")
        }
        var gate = Gate(
            text: text, newOnly: subject.newOnly, kind: subject.kind, verdict: subject.verdict,
            countsBytes: subject.countsBytes, comparison: comparison, value: 0)
        if inside == nil {
            gate.value = try number(right, isSize: subject.countsBytes)
        } else {
            gate.share = try share(right)
        }
        return gate
    }

    // What stands between the parentheses of `share(…)`; nil where there are none.
    private static func insideShare(_ part: Part) throws(Refusal) -> Part? {
        guard part.text.hasPrefix("share") else { return nil }
        let open = part.text.dropFirst("share".count)
        guard open.first == "(" else { throw Part(text: open).refused("share needs '('") }
        guard part.text.last == ")" else {
            throw Part(text: part.text[part.text.endIndex...]).refused("share( needs its ')'")
        }
        return Part(text: open.dropFirst().dropLast()).trimmed
    }

    private struct Subject {
        var newOnly = false
        var kind: FindingKind
        var verdict: Verdict?
        var countsBytes = false
    }

    private static func subject(_ part: Part) throws(Refusal) -> Subject {
        var words = part.text.split(separator: ".", omittingEmptySubsequences: false)
        let newOnly = words.count > 1 && words[0] == "new"
        if newOnly { words.removeFirst() }
        let countsBytes = words.count > 1 && words.last == "bytes"
        if countsBytes { words.removeLast() }
        let kinds = FindingKind.allCases.map(\.rawValue)
        guard let kind = FindingKind(rawValue: String(words[0])) else {
            throw Part(text: words[0]).refused(
                Nearest.unknown("kind", String(words[0]), among: kinds))
        }
        var subject = Subject(newOnly: newOnly, kind: kind, countsBytes: countsBytes)
        guard words.count > 1 else { return subject }
        guard let verdict = Verdict(rawValue: String(words[1])), words.count == 2 else {
            let known = Verdict.allCases.map(\.rawValue) + ["bytes"]
            if let found = words[1...].first(where: { !known.contains(String($0)) }) {
                throw Part(text: found).refused(
                    Nearest.unknown("word", String(found), among: known))
            }
            throw Part(text: words[1]).refused("needs the form \(form) on the left")
        }
        subject.verdict = verdict
        return subject
    }

    private static func number(_ part: Part, isSize: Bool) throws(Refusal) -> Int64 {
        if isSize {
            do throws(QuantityError) {
                return try Quantity.size(String(part.text))
            } catch {
                throw part.refused("'.bytes' \(error.description)")
            }
        }
        let isNumber = part.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = Int64(part.text) else {
            throw part.refused(
                "needs a whole number on the right, or '.bytes' on the left; "
                    + "found '\(String(part.text).printable)'")
        }
        return number
    }

    private static func share(_ part: Part) throws(Refusal) -> Double {
        do throws(QuantityError) {
            return try Quantity.share(String(part.text))
        } catch {
            throw part.refused("share() \(error.description)")
        }
    }
}
