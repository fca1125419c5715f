import MooringText

/// Replaces `${NAME}` in a value by the environment's variable of that name.
enum Substitution {
    /// What came of a text.
    enum Outcome: Equatable {
        /// The text held no `${` at all.
        case untouched
        /// The text with every variable put in, and `$${` as `${`.
        case replaced(String)
        /// A variable that is not set, or a form that is not `${NAME}`; says which.
        case problem(String)
    }

    /// Replaces once: what a variable holds is never read for variables again.
    static func apply(to text: String, environment: [String: String]) -> Outcome {
        guard text.utf8.contains(UInt8(ascii: "$")), text.contains("${") else { return .untouched }
        var output = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            let before = rest[..<start.lowerBound]
            if before.hasSuffix("$") {
                output += before.dropLast() + "${"
                rest = rest[start.upperBound...]
                continue
            }
            output += before
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                return .problem("'${' has no '}' after it; write '$${' for the two characters")
            }
            let name = String(rest[start.upperBound..<end])
            guard isName(name) else {
                return .problem(
                    "'${\(name.printable)}' names no environment variable; "
                        + "write '$${' for the two characters")
            }
            guard let value = environment[name] else {
                return .problem("the environment variable \(name) is not set")
            }
            output += value
            rest = rest[rest.index(after: end)...]
        }
        return .replaced(output + rest)
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy {
            $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                || (0x61...0x7A).contains($0)
        }
    }
}
