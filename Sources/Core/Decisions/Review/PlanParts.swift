package import MooringModel

/// What a plan is divided by, so that different people can look at it.
package enum PlanGrouping: String, Hashable, Sendable, CaseIterable {
    /// The record that owns the object, or holds the reference.
    case owner
    /// How the key begins: up to the end of an identity, or of the first part of its path.
    case prefix
    /// The model of that record.
    case model
    /// The month, in UTC, in which the object was last modified.
    case month
}

/// One part of a plan.
package struct PlanPart: Hashable, Sendable {
    /// What its steps have in common; nil of the part of those that have nothing of the kind.
    package let name: [UInt8]?
    /// Its steps, in the plan's order.
    package fileprivate(set) var steps: [PlannedStep] = []
    /// The bytes of their objects.
    package fileprivate(set) var bytes: Int64 = 0
}

/// Divides a plan: each step is in exactly one part.
package struct PlanParts {
    private let grouping: PlanGrouping
    private let resolver: KeyResolver

    /// Parts by something, under the levels of a configuration.
    package init(by grouping: PlanGrouping, under levels: [AccessLevel]) {
        self.grouping = grouping
        resolver = KeyResolver(levels: levels)
    }

    /// The parts: months in their order, others with the most bytes first; what has nothing of the
    /// kind stands last.
    package func split(_ steps: [PlannedStep]) -> [PlanPart] {
        var parts: [PlanPart] = []
        var places: [[UInt8]?: Int] = [:]
        for step in steps {
            let name = name(of: step.step)
            let place = places[name] ?? parts.count
            if place == parts.count {
                places[name] = place
                parts.append(PlanPart(name: name))
            }
            parts[place].steps.append(step)
            parts[place].bytes.add(step.bytes)
        }
        return parts.sorted { one, other in
            guard let first = one.name, let second = other.name else { return one.name != nil }
            if grouping != .month {
                if one.bytes != other.bytes { return one.bytes > other.bytes }
                if one.steps.count != other.steps.count {
                    return one.steps.count > other.steps.count
                }
            }
            return first.lexicographicallyPrecedes(second)
        }
    }

    private func name(of step: PlanStep) -> [UInt8]? {
        switch grouping {
        case .owner:
            step.record.map { record in
                model(record) + [UInt8(ascii: "/")] + record.identity.id.joined
            }
        case .model: step.record.map(model)
        case .month:
            step.precondition.object.map { Array($0.lastModified.iso8601.utf8.prefix(7)) }
        case .prefix:
            step.key.map { Array("\(step.bucket ?? ""):".utf8) + beginning(of: $0) }
        }
    }

    private func model(_ record: RecordPlace) -> [UInt8] {
        Array("\(record.identity.source) \(record.identity.model)".utf8)
    }

    // Of several identities that fit the longest, as in a finding's evidence.
    private func beginning(of key: ObjectKey) -> ArraySlice<UInt8> {
        let readings = resolver.plainReadings(of: key)
        let owned = readings.filter { $0.identity != nil }
            .max { ($0.identity?.count ?? 0) < ($1.identity?.count ?? 0) }
        if let owned { return key.bytes.dropLast(owned.relative.count) }
        let length = readings.map(\.relative.count).min() ?? key.bytes.count
        let rest = key.bytes.suffix(length)
        let slash = rest.firstIndex(of: UInt8(ascii: "/"))
        return key.bytes[..<(slash.map { $0 + 1 } ?? rest.startIndex)]
    }
}
