import ArgumentParser
import MooringConfiguration
import MooringDecisions

extension AcceptOptions {
    /// The acceptances; a guard or value that is not known is wrong usage.
    func acceptance() throws -> Acceptance {
        var texts: [String: String] = [:]
        var numbers: [String: Double] = [:]
        var own = OwnAcceptances()
        for entry in accept where try !own.take(entry) {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, Guards.acceptable.contains(parts[0]) else {
                throw ValidationError(
                    "--accept takes GUARD=VALUE with one of "
                        + Guards.acceptable.joined(separator: ", ") + "; not '\(entry)'")
            }
            do {
                numbers[parts[0]] = try Self.number(parts[0], parts[1])
            } catch {
                throw ValidationError("--accept \(parts[0]): \(error)")
            }
            texts[parts[0]] = parts[1]
        }
        return own.added(to: Acceptance(texts: texts, numbers: numbers))
    }

    private static func number(_ name: String, _ text: String) throws -> Double {
        switch name {
        case "bytes": return Double(try Quantity.size(text))
        case "steps":
            guard let count = Int(text), count >= 0 else {
                throw ValidationError("a whole number is needed; found '\(text)'")
            }
            return Double(count)
        default: return try Quantity.share(text)
        }
    }
}
