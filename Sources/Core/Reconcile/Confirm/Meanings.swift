package import MooringDecisions
package import MooringModel

// What missing references may mean beside the object at their own key.

extension ConfirmScan {
    /// Adds an object that was listed and that records reference, under the key by which it is
    /// known.
    package mutating func add(referenced key: ObjectKey, bucket: Int) {
        meanings.add(referenced: key, bucket: bucket)
        noteSpelling(of: key)
        let (fields, name) = (bareFields, buckets[bucket].name)
        enclosed.add(key, resolver) { reading in
            KeyTemplate.isIdentifier(reading.relative)
                && fields.contains { file in
                    file.covers(reading) && (file.bucket == nil || file.bucket == name)
                }
        }
    }

    /// Notes, when all of them were added, which missing references hold one's key inside.
    package mutating func closeReferenced() {
        doubtful.formUnion(enclosed.holders { resolver.names(in: dangling[$0]) })
    }

    /// Notes which missing references may spell an object that records reference.
    mutating func noteSpelling(of key: ObjectKey) { doubtful.formUnion(spellings.spelling(key)) }

    /// What is said of a reference in `doubtful`.
    package func doubt(about dangling: Int) -> String { spellings.doubt(about: dangling) }

    /// Whether a wanted key is the one key of a missing reference, as of an object in quarantine.
    func lies(_ key: WantedKey, at number: Int) -> Bool {
        dangling[number].bucket == key.bucket && dangling[number].patterns == [.exact(key.key)]
    }

    /// What a missing reference may mean: its own object left out, the closest first, and how many
    /// more there are at least. The wanted keys' versions are not known here.
    package func meant(
        by number: Int
    ) -> (objects: [(object: MeantObject, wanted: Int?)], beside: Int) {
        let candidate = dangling[number]
        guard candidate.bucket != nil else { return ([], 0) }
        let found = meanings.objects(of: number)
        var objects: [(object: MeantObject, wanted: Int?)] = []
        for other in found.wanted {
            let key = wanted[other]
            // A wanted key that a record gained meanwhile is its own object.
            guard let object = meant(key, by: candidate) else { continue }
            objects.append((object, other))
        }
        for key in found.referenced {
            if let object = meant(key, by: candidate) { objects.append((object, nil)) }
        }
        objects.sort { MeantObject.precedes($0.object, $1.object) }
        let shown = objects.prefix(MeaningIndex.shownLimit)
        return (Array(shown), objects.count - shown.count + (found.isCutOff ? 1 : 0))
    }

    /// Notes the wanted keys of which a reference means a twin, where nothing tells whether its own
    /// object is there: whoever reads `inside` looks.
    mutating func noteTwins(of meant: MeantPlaces) {
        guard let twins, let bucket = meant.bucket else { return }
        for number in twins.numbers(of: meant.patterns, bucket: bucket) {
            let own = meant.patterns.compactMap { pattern -> WantedKey? in
                guard case .exact(let key) = pattern else { return nil }
                return WantedKey(bucket: bucket, key: key)
            }
            // A place under any identity cannot be looked at.
            let isKnown = own.count == meant.patterns.count
            if !inside.note(number, isKnown ? [own] : nil) { inside.protect(number) }
        }
    }

    /// The numbers of a wanted key; none where it is no such key.
    package func numbers(of key: WantedKey) -> [Int] { wantedNumbers[key] }

    /// The place of a missing reference that may mean a wanted key, a tombstone's among them, with
    /// how that lies; nil when none does.
    package func claim(on wanted: Int) -> (place: RecordPlace, object: MeantObject)? {
        let key = self.wanted[wanted]
        let missing = meanings.claimant(of: wanted).map { dangling[$0] }
        for candidate in [missing, buried[key]].compactMap(\.self) {
            if let object = meant(key, by: candidate) { return (candidate.place, object) }
        }
        return nil
    }

    /// How an object lies that a missing reference may mean; nil when it is the reference's own.
    package func meant(_ key: WantedKey, by candidate: DanglingCandidate) -> MeantObject? {
        let readings = resolver.readings(of: key.key).filter { !$0.relative.isEmpty }
        let isHere = candidate.bucket == key.bucket
        if isHere, candidate.patterns.contains(where: { $0.matches(key.key) }) { return nil }
        let names = resolver.ownNames(of: candidate) + resolver.names(in: candidate)
        let isFolder = buckets[key.bucket].isFolder
        let paths = isFolder ? names.compactMap(PathForm.normal) : []
        let forms = (names + paths).map { TwinForm($0) }
        let fitting = readings.filter { forms.contains(TwinForm($0.relative)) }
        let alike = fitting.first { names.contains($0.relative) }
        let reading = alike ?? fitting.first
        let difference: MeantObject.Difference
        if !isHere {
            difference = .bucket
        } else if reading == nil || isInPlace(key.key, fitting, candidate, isFolder) {
            difference = .twin
        } else {
            let own = names.flatMap { name in
                candidate.patterns.compactMap { level(of: $0, name) }
            }
            let isOwnLevel = reading.map { own.contains($0.level) } == true
            let isLaid = fitting.contains {
                $0.level == reading?.level && $0.stored == candidate.stored
            }
            difference = !isOwnLevel ? .level : isLaid ? .identity : .layout
        }
        return MeantObject(
            difference, bucket: buckets[key.bucket].name, key: key.key, level: reading?.level,
            identity: reading?.identity, isSpelledAlike: alike != nil && difference != .twin)
    }

    // Whether the whole key is a twin of one that the reference may mean.
    private func isInPlace(
        _ key: ObjectKey, _ readings: [KeyReading], _ candidate: DanglingCandidate,
        _ isFolder: Bool
    ) -> Bool {
        candidate.patterns.contains { pattern in
            switch pattern {
            case .exact(let exact):
                TwinForm(exact.bytes) == TwinForm(key.bytes)
                    || areTwins(pattern, .exact(key), candidate.stored)
                    || isFolder
                        && PathForm.normal(exact.bytes).map { TwinForm($0) } == TwinForm(key.bytes)
            case .anyIdentity(let head, _):
                readings.contains { reading in
                    reading.stored == candidate.stored
                        && resolver.levels.contains { $0.name == reading.level && $0.head == head }
                }
            }
        }
    }

    // Whether two keys are made of values that are twins: their slices need not be.
    private func areTwins(
        _ one: KeyPattern, _ other: KeyPattern, _ layout: StoredLayout
    ) -> Bool {
        guard !layout.isPlain else { return false }
        let forms = [one, other].map { pattern in
            Set(resolver.unlaid(pattern, by: layout).map { TwinForm($0.shown.bytes) })
        }
        return !forms[0].isDisjoint(with: forms[1])
    }

    // The level of a place that a value may mean; the inner nil is the root.
    private func level(of pattern: KeyPattern, _ value: [UInt8]) -> String?? {
        switch pattern {
        case .exact(let key):
            return resolver.readings(of: key).last { $0.relative == value }.map(\.level)
        case .anyIdentity(let head, _):
            return resolver.levels.first { $0.head == head && $0.tail != nil }.map { $0.name }
        }
    }
}
