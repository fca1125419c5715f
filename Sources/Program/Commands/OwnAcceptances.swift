import ArgumentParser
import MooringDecisions

/// What `--accept` takes beside the guards with a number: `identity:NAME` and
/// `vanished:PREFIX=COUNT`.
struct OwnAcceptances {
    private var identities: Set<String> = []
    private var losses: [[UInt8]: Int] = [:]

    /// Takes an entry; false when it is about another guard.
    mutating func take(_ entry: String) throws -> Bool {
        if let name = Self.rest(of: entry, behind: "identity:") {
            guard !name.isEmpty, !name.contains("=") else {
                throw ValidationError(
                    "--accept identity:NAME takes the name of a bucket or source; not '\(entry)'")
            }
            identities.insert(name)
            return true
        }
        guard let loss = Self.rest(of: entry, behind: "vanished:") else { return false }
        // A prefix may hold the sign itself.
        guard let sign = loss.lastIndex(of: "="),
            let count = Int(loss[loss.index(after: sign)...]), count > 0, sign > loss.startIndex
        else {
            throw ValidationError(
                "--accept vanished:PREFIX=COUNT takes how keys begin and how many references may "
                    + "be without their objects; not '\(entry)'")
        }
        losses[Array(loss[..<sign].utf8)] = count
        return true
    }

    /// An acceptance with these.
    func added(to acceptance: Acceptance) -> Acceptance {
        var acceptance = acceptance
        acceptance.identities = identities
        acceptance.losses = losses
        return acceptance
    }

    private static func rest(of entry: String, behind name: String) -> String? {
        entry.hasPrefix(name) ? String(entry.dropFirst(name.count)) : nil
    }
}
