import MooringDecisions
import MooringModel

/// What lies in a bucket's quarantine: of each key the object that was put there last.
struct NewestQuarantined {
    private var objects: [ObjectKey: QuarantinedObject] = [:]

    /// Adds an object; an older one of its key is dropped.
    mutating func add(_ object: QuarantinedObject) {
        if let known = objects[object.key], known.run > object.run { return }
        objects[object.key] = object
    }

    /// The object at one of these places: of several, the one at the first place, and of the
    /// objects under any identity the one that was put there last.
    func object(of patterns: [KeyPattern]) -> QuarantinedObject? {
        for pattern in patterns {
            if case .exact(let key) = pattern {
                if let object = objects[key] { return object }
                continue
            }
            let found = objects.values.filter { pattern.matches($0.key) }
            if let newest = found.max(by: { ($0.run, $0.key) < ($1.run, $1.key) }) {
                return newest
            }
        }
        return nil
    }
}
