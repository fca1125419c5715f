package import MooringModel

/// Says who can read an object by the level it lies under, and whether that is more than its
/// record's `visibility` allows.
package enum ExposureRule {
    /// Who can read an object of this key: `guest` is anyone, `protected` every signed-in user,
    /// `private` its owner. Another level without `{identity}` belongs to no one alone, so that at
    /// least every signed-in user can. Nil where nothing tells: at the root, and under another
    /// level with `{identity}`.
    package static func readers(of key: ObjectKey, _ resolver: KeyResolver) -> Visibility? {
        // Of several levels that fit, the one with the longest prefix speaks of fewest objects.
        let reading = resolver.plainReadings(of: key).filter { $0.level != nil }
            .min { $0.relative.count < $1.relative.count }
        guard let level = resolver.levels.first(where: { $0.name == reading?.level }) else {
            return nil
        }
        switch level.name {
        case "guest": return .anyone
        case "protected": return .signedIn
        case "private": return .owner
        default: return level.tail == nil ? .signedIn : nil
        }
    }

    /// Whether more can read than a record allows.
    package static func isExposed(_ readers: Visibility, allowing visibility: Visibility) -> Bool {
        readers.openness > visibility.openness
    }
}

extension Visibility {
    /// How many can read: 0 for the owner alone, 2 for anyone.
    package var openness: Int {
        switch self {
        case .owner: 0
        case .signedIn: 1
        case .anyone: 2
        }
    }
}
