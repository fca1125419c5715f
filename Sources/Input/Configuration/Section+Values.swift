import MooringText

extension Section {
    /// A value that must be `true` or `false`, without quotes.
    func bool(_ key: String) -> Bool? {
        guard let text = text(key) else { return nil }
        switch text.value {
        case "true" where !text.isQuoted: return true
        case "false" where !text.isQuoted: return false
        default:
            let quotes = text.isQuoted ? "the text " : ""
            context.report(
                "'\(key)' needs true or false; found \(quotes)'\(text.shown)'", line: text.line)
            return nil
        }
    }

    /// A value that must be a whole number from 0 up.
    func count(_ key: String) -> Int? {
        guard let text = text(key) else { return nil }
        let isNumber = text.value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, !text.isQuoted, let number = Int(text.value) else {
            context.report(
                "'\(key)' needs a whole number; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return number
    }

    /// A value that must be a number from 0 up, such as 0.023.
    func amount(_ key: String) -> Double? {
        guard let text = text(key) else { return nil }
        let isPlain = text.value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isPlain, !text.isQuoted, let number = Double(text.value), number <= 1e9 else {
            context.report(
                "'\(key)' needs a number such as 0.023; found '\(text.shown)'", line: text.line)
            return nil
        }
        return number
    }

    /// A value that must be one of the cases' words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, of type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        guard let text = text(key) else { return nil }
        guard let choice = Choice(rawValue: text.value) else {
            let known = Choice.allCases.map(\.rawValue)
            reportUnknown(key, text, among: known)
            return nil
        }
        return choice
    }

    /// A value that must be one of these words, each of which stands for something.
    func choice<Choice>(_ key: String, _ known: KeyValuePairs<String, Choice>) -> Choice? {
        guard let text = text(key) else { return nil }
        guard let match = known.first(where: { $0.key == text.value }) else {
            reportUnknown(key, text, among: known.map(\.key))
            return nil
        }
        return match.value
    }

    /// A value that must be a duration.
    func duration(_ key: String) -> Duration? { quantity(key, Quantity.duration) }
    /// A value that must be a size in bytes.
    func size(_ key: String) -> Int64? { quantity(key, Quantity.size) }
    /// A value that must be a share, 0 to 1.
    func share(_ key: String) -> Double? { quantity(key, Quantity.share) }

    /// Reports a value that is not among the words known for its key.
    func reportUnknown(_ key: String, _ text: ScalarText, among known: [String]) {
        context.report(Nearest.unknown(key, text.shown, among: known), line: text.line)
    }

    private func quantity<Value>(
        _ key: String, _ read: (String) throws(QuantityError) -> Value
    ) -> Value? {
        guard let text = text(key) else { return nil }
        do throws(QuantityError) {
            return try read(text.value)
        } catch {
            context.report("'\(key)' \(error.needs); found '\(text.shown)'", line: text.line)
            return nil
        }
    }
}
