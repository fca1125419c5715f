import MooringDecisions
import MooringModel

/// Which wanted keys lie where a reference means an object, but for their Unicode form,
/// percent-encoding and case. Other levels and identities are other places.
struct TwinPlaces: Sendable {
    private struct Place: Hashable {
        let bucket: Int
        let form: TwinForm
        // Whether an identity was cut out of it.
        var isAnyIdentity = false
    }

    private let wanted: [WantedKey]
    private let folders: [Bool]
    private var numbers: [Place: [Int]] = [:]
    private let resolver: KeyResolver
    private var filter = TailFilter()

    /// The places of these keys, which have their numbers.
    init(_ wanted: [WantedKey], buckets: [BucketMapping], resolver: KeyResolver) {
        self.wanted = wanted
        folders = buckets.map(\.isFolder)
        self.resolver = resolver
        for (number, key) in wanted.enumerated() {
            for pattern in everyForm(of: .exact(key.key)) {
                for place in places(of: pattern, key.bucket) {
                    numbers[place, default: []].append(number)
                }
            }
            for reading in resolver.readings(of: key.key) where reading.identity != nil {
                guard let level = resolver.levels.first(where: { $0.name == reading.level })
                else { continue }
                let form = TwinForm(level.head + (level.tail ?? []) + reading.relative)
                let place = Place(bucket: key.bucket, form: form, isAnyIdentity: true)
                numbers[place, default: []].append(number)
            }
        }
        addLoose()
        filter = TailFilter(resolver, numbers.keys.lazy.map(\.form))
    }

    // Places under any identity whose level is spelt in another way as well.
    private mutating func addLoose() {
        let loose = LooseLevels(resolver)
        for (number, key) in wanted.enumerated() {
            for reading in loose.readings(of: key.key, TwinForm(key.key.bytes))
            where reading.hasIdentity {
                let level = resolver.levels[reading.level]
                let form = TwinForm(level.head + (level.tail ?? []) + reading.relative)
                let place = Place(bucket: key.bucket, form: form, isAnyIdentity: true)
                numbers[place, default: []].append(number)
            }
        }
    }

    /// The numbers of wanted keys at twins of these places; not of those that lie at one itself.
    func numbers(of patterns: [KeyPattern], bucket: Int) -> [Int] {
        guard !numbers.isEmpty else { return [] }
        var found: [Int] = []
        for pattern in patterns.flatMap(everyForm) where mayHold(pattern) {
            for place in places(of: pattern, bucket) { found += numbers[place] ?? [] }
        }
        return found.filter { number in !patterns.contains { $0.matches(wanted[number].key) } }
    }

    // Of twins the slices that a layout takes need not be twins: the values are compared as well.
    private func everyForm(of pattern: KeyPattern) -> [KeyPattern] {
        [pattern] + resolver.layouts.flatMap { resolver.unlaid(pattern, by: $0) }
    }

    private func mayHold(_ pattern: KeyPattern) -> Bool {
        guard case .exact(let key) = pattern else { return true }
        return key.bytes.withUnsafeBufferPointer(filter.mayHold)
    }

    // Of a folder's key also that of the path without what a folder leaves out.
    private func places(of pattern: KeyPattern, _ bucket: Int) -> [Place] {
        switch pattern {
        case .anyIdentity(let head, let rest):
            return [Place(bucket: bucket, form: TwinForm(head + rest), isAnyIdentity: true)]
        case .exact(let key):
            let path = folders[bucket] ? PathForm.normal(key.bytes) : nil
            return ([key.bytes] + (path.map { [$0] } ?? [])).map {
                Place(bucket: bucket, form: TwinForm($0))
            }
        }
    }
}
