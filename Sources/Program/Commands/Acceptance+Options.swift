import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringPipeline

extension AcceptOptions {
    /// The acceptances; a guard, a place or a value of another form is wrong usage.
    func acceptance() throws -> Acceptance {
        var texts: [String: String] = [:]
        var numbers: [String: Double] = [:]
        var beside = OwnAcceptances()
        for entry in accept where try !beside.take(entry) {
            guard let mark = entry.lastIndex(of: "=") else { throw Self.unknown(entry) }
            let key = String(entry[..<mark])
            let text = String(entry[entry.index(after: mark)...])
            let (name, place) = Acceptance.parts(key)
            guard let own = AcceptableGuard(rawValue: name) else { throw Self.unknown(entry) }
            if let place, place.isEmpty || !own.hasPlaces {
                throw ValidationError("--accept \(name) takes no place; found '\(place)'")
            }
            let (value, run) = Acceptance.value(text)
            if let run, RunID(run) == nil {
                throw ValidationError("--accept \(key): '\(run)' is not a run's name")
            }
            do {
                numbers[key] = try own.form.number(value)
            } catch {
                throw ValidationError("--accept \(key): \(error)")
            }
            texts[key] = text
        }
        return beside.added(to: Acceptance(texts: texts, numbers: numbers))
    }

    /// Refuses an identity of a store that the configuration does not name, as wrong usage.
    func refuseUnknown(_ acceptance: Acceptance, _ configuration: Configuration) throws {
        let names = configuration.records.map(\.name) + configuration.buckets.map(\.mapping.name)
        for name in acceptance.identities.sorted() where !names.contains(name) {
            throw ValidationError(
                "--accept identity:NAME knows \(names.joined(separator: ", ")); not '\(name)'")
        }
    }

    private static func unknown(_ entry: String) -> ValidationError {
        ValidationError(
            "--accept takes GUARD[:PLACE]=VALUE[@RUN] with one of "
                + AcceptableGuard.allCases.map(\.rawValue).joined(separator: ", ")
                + "; not '\(entry)'")
    }
}
