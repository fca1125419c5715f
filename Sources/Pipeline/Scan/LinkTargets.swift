import MooringModel
import MooringReconcile

/// What symbolic links lead to, in whichever folder of the configuration: a link is as good as a
/// reference, since what leads nowhere shows nothing.
struct LinkTargets {
    /// By bucket and by the key that is led to, one link that leads there: one that records mean
    /// where there is one.
    private var listed: [[ObjectKey: WantedKey]]
    private var held: [Set<ObjectKey>]
    private let numbers: [String: Int]

    /// None yet, for the buckets of these names.
    init(_ names: [String]) {
        listed = Array(repeating: [:], count: names.count)
        held = Array(repeating: [], count: names.count)
        numbers = Dictionary(
            names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds what a listed object of a bucket leads to.
    mutating func add(_ object: ListedObject, bucket: Int, isReferenced: Bool) {
        let own = [object.linkTarget, object.linkEnd].compactMap { $0 }
        let link = WantedKey(bucket: bucket, key: object.key)
        let places =
            own.map { WantedKey(bucket: bucket, key: $0) } + object.leadsTo.compactMap(place)
        for place in places where place != link {
            guard listed[place.bucket][place.key] == nil || isReferenced else {
                continue
            }
            listed[place.bucket][place.key] = link
        }
    }

    /// Adds what an object in a bucket's quarantine would lead to, were it given back.
    mutating func add(_ object: QuarantinedObject, bucket: Int) {
        let link = WantedKey(bucket: bucket, key: object.key)
        for place in object.leadsTo.compactMap(place) where place != link {
            held[place.bucket].insert(place.key)
        }
    }

    /// Which key, its own or that of a folder above it, a link leads to, in quarantine or not.
    func target(of key: ObjectKey, bucket: Int) -> ObjectKey? {
        guard !listed[bucket].isEmpty || !held[bucket].isEmpty else { return nil }
        return key.selfOrFolder { listed[bucket][$0] != nil || held[bucket].contains($0) }
    }

    /// The listed link that leads to a key or to a folder above it.
    func link(to key: ObjectKey, bucket: Int) -> WantedKey? {
        guard !listed[bucket].isEmpty else { return nil }
        return key.selfOrFolder { listed[bucket][$0] != nil }.flatMap { listed[bucket][$0] }
    }

    private func place(_ linked: LinkedPlace) -> WantedKey? {
        numbers[linked.bucket].map { WantedKey(bucket: $0, key: linked.key) }
    }
}

extension ObjectKey {
    /// The key itself or the folder above it that is among these; nil when none is.
    fileprivate func selfOrFolder(where isMeant: (ObjectKey) -> Bool) -> ObjectKey? {
        if isMeant(self) { return self }
        for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "/") {
            let folder = ObjectKey(Array(bytes[..<index]))
            if isMeant(folder) { return folder }
        }
        return nil
    }
}
