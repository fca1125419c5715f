package import MooringConfiguration
package import MooringDecisions
package import MooringModel
import MooringReconcile

/// Finds every object that a stored value may mean, in the buckets as they are now.
package struct ValueLook {
    private let configuration: Configuration
    private let buckets: [any Bucket]
    private let interruption: Interruption

    /// A look into the configuration's buckets, which are handed over in its order; the
    /// interruption is asked between batches.
    package init(
        configuration: Configuration, buckets: [any Bucket], interruption: Interruption
    ) {
        self.configuration = configuration
        self.buckets = buckets
        self.interruption = interruption
    }

    /// One place where the object may lie, and what is there.
    package struct Place {
        /// The bucket's name.
        package let bucket: String
        /// The level's name; nil at the root.
        package let level: String?
        /// The key, or the keys under any identity.
        package let pattern: KeyPattern
        /// The shape in which the value was read, in words.
        package let form: String
        /// Whether audits look there.
        package var isOutside = false
        package var isIgnored = false
        /// Why nothing is known of the place; nil where something is.
        package var doubt: String?
        /// The objects that are there; at most as many as are shown.
        package var found: [ListedObject] = []
        package var foundCount = 0
        /// The objects in quarantine that would lie there, were they restored.
        package var held: [QuarantinedObject] = []
        /// The records that a template names.
        package var owners: [RecordPlace] = []
    }

    /// The most objects that one place lists.
    package static let shownLimit = 100

    private var resolver: KeyResolver { configuration.resolver }

    /// The places of these readings, each once; `only` is the one bucket that is asked for.
    package func places(
        of readings: [ValueReading], identity: [UInt8]?, only: String?
    ) async throws -> [Place] {
        var places: [Place] = []
        for number in buckets.indices {
            let own = self.places(of: readings, in: number, identity: identity, only: only)
            places += try await look(at: own, number)
        }
        return places
    }

    /// The configured bucket that goes by a name, its own or the store's; nil when there is none.
    package func bucketName(_ name: String) -> String? {
        let number = BucketNames(configuration.buckets.map(\.mapping)).number(named: name)
        return number.map { configuration.buckets[$0].mapping.name }
    }

    private func places(
        of readings: [ValueReading], in number: Int, identity: [UInt8]?, only: String?
    ) -> [Place] {
        let mapping = configuration.buckets[number].mapping
        if let only, only != mapping.name { return [] }
        var seen: Set<KeyPattern> = []
        var places: [Place] = []
        for reading in readings where !reading.value.isEmpty {
            let named = only ?? reading.bucket.map { bucketName($0) ?? "" }
            guard named ?? mapping.name == mapping.name else { continue }
            for (pattern, level) in meant(reading, identity)
            where seen.insert(pattern).inserted {
                var place = Place(
                    bucket: mapping.name, level: level, pattern: pattern, form: reading.form)
                place.isOutside = !mapping.covers(pattern.shown)
                place.isIgnored = mapping.ignores(pattern.shown)
                place.owners = owners(of: pattern, number)
                places.append(place)
            }
        }
        return places
    }

    private func meant(
        _ reading: ValueReading, _ identity: [UInt8]?
    ) -> [(pattern: KeyPattern, level: String?)] {
        let layouts = reading.stored.map { [$0] } ?? [.plain] + resolver.layouts
        return layouts.flatMap { stored in
            let patterns = resolver.patterns(
                value: reading.value, level: reading.level, identity: identity, stored: stored)
            return zip(patterns, levelNames(reading.level)).map { ($0, $1) }
        }
    }

    // In the order in which the resolver gives patterns.
    private func levelNames(_ choice: LevelChoice) -> [String?] {
        switch choice {
        case .root: [nil]
        case .named(let name): [name]
        case .any: [nil] + configuration.levels.map(\.name)
        }
    }

    private func owners(of pattern: KeyPattern, _ bucket: Int) -> [RecordPlace] {
        let models = configuration.records.flatMap { source in
            source.mapping.models.map { SourceModel(source: source.name, mapping: $0) }
        }
        let names = ConfirmScan(
            models: models, buckets: configuration.buckets.map(\.mapping), resolver: resolver,
            wanted: [WantedKey(bucket: bucket, key: pattern.shown)], dangling: []
        ).possibleOwners(of: 0)
        return names.map { name in
            let model = models[name.model]
            return RecordPlace(
                identity: RecordIdentity(
                    source: model.source, model: model.mapping.model, id: RecordID(name.id)),
                field: model.mapping.files[name.field].field)
        }
    }

    // A live bucket is asked for each key; what lies under any identity only a listing tells, and
    // a copy is read to its end.
    private func look(at places: [Place], _ number: Int) async throws -> [Place] {
        var places = places
        let bucket = buckets[number]
        var listed: [Int] = []
        for index in places.indices {
            if bucket.isLive, case .exact(let key) = places[index].pattern {
                switch await bucket.head(key) {
                case .present(let version):
                    places[index].found = [ListedObject(key: key, version: version)]
                    places[index].foundCount = 1
                case .absent: break
                case .unknown(let reason): places[index].doubt = reason
                }
            } else {
                listed.append(index)
            }
        }
        if !listed.isEmpty {
            let result = try await bucket.list { batch in
                try interruption.check()
                for index in listed {
                    for object in batch where places[index].pattern.matches(object.key) {
                        places[index].foundCount += 1
                        if places[index].found.count < Self.shownLimit {
                            places[index].found.append(object)
                        }
                    }
                }
            }
            for index in listed where places[index].found.isEmpty {
                places[index].doubt = result.problems.first?.text
            }
        }
        guard bucket.isLive, !places.isEmpty else { return places }
        _ = try await bucket.listQuarantine { batch in
            try interruption.check()
            for index in places.indices {
                places[index].held += batch.filter { places[index].pattern.matches($0.key) }
            }
        }
        return places
    }
}
