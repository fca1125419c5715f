import MooringDecisions
import MooringLedger
package import MooringModel
package import MooringReconcile

/// Finds the object or record that a text names: an id of a finding or step, a record, a key in any
/// spelling, a key as reports shorten it, or what a record holds. Changes nothing.
package struct SubjectSearch: Sendable {
    /// What a text was found to name.
    package struct Named: Hashable, Sendable {
        /// An object, by its place, or a record.
        package enum What: Hashable, Sendable {
            case object(WantedKey)
            case record(RecordIdentity)
        }

        /// What it names.
        package let what: What
        /// How the text was read, as words; nil where it stands for itself.
        package let reading: String?
        /// Whether anything is known of it: a store holds it, or the ledger tells of it.
        package var isKnown = true
    }

    /// What a text names, or what is near to it.
    package struct Answer: Sendable {
        /// What it names; where none of it is known, what it would name.
        package var named: [Named] = []
        /// The objects that are spelled most like it, where nothing of this name is known.
        package var nearest: [ObjectPlace] = []
        /// Why a bucket was not listed to its end; what lies there may have the name.
        package var unlisted: [ScanProblem] = []
        /// How many objects the text may name, where they are too many to tell of each.
        package var tooMany: Int?
    }

    /// The most subjects that are told of: each takes a look at every record.
    package static let mostNamed = 5

    private let look: SubjectLook
    private var job: Job { look.job }

    /// A search in the stores and the ledger of a look's job.
    package init(_ look: SubjectLook) {
        self.look = look
    }

    /// What a text names: the first way to read it that leads to something wins.
    package func run(_ text: String) async throws -> Answer {
        let bytes = Array(text.utf8)
        if let named = try byID(text) { return Answer(named: [named]) }
        let spelled = try await records(named: text) + objects(named: text)
        let known = spelled.filter(\.isKnown)
        guard known.isEmpty else { return Answer(named: known) }
        let ids = try await records(withID: bytes)
        guard ids.isEmpty else { return bounded(ids, "the id of a record") }
        let kept = try keptKeys(bytes)
        guard kept.isEmpty else { return bounded(kept, nil) }
        return try await listed(bytes, instead: spelled)
    }

    private func bounded(_ named: [Named], _ reading: String?) -> Answer {
        let told = named.map { reading == nil ? $0 : Named(what: $0.what, reading: reading) }
        guard told.count > Self.mostNamed else { return Answer(named: told) }
        let places = told.compactMap { named -> ObjectPlace? in
            guard case .object(let key) = named.what else { return nil }
            return ObjectPlace(bucket: job.buckets[key.bucket].name, key: key.key)
        }
        return Answer(nearest: Array(places.prefix(NearKeys.most)), tooMany: told.count)
    }

    /// What a text may name of what the ledger tells of: an id, a record, a key in any spelling or
    /// shortened, or what a record holds. No store is asked.
    package func remembered(_ text: String) throws -> [Named] {
        if let named = try byID(text) { return [named] }
        let records = (look.records(named: text) ?? []).map { Named.What.record($0) }
        let spelled = records + look.keys(named: text).map { .object($0) }
        let known = try spelled.filter(isRemembered)
        guard known.isEmpty else { return known.map { Named(what: $0, reading: nil) } }
        let ids = identities(withID: Array(text.utf8)).map { Named.What.record($0) }
        let found = try ids.filter(isRemembered)
        guard found.isEmpty else {
            return found.map { Named(what: $0, reading: "the id of a record") }
        }
        return try keptKeys(Array(text.utf8))
    }

    // Whether a finding or a repair tells of it.
    private func isRemembered(_ what: Named.What) throws -> Bool {
        let ledger = job.ledger
        switch what {
        case .object(let key):
            let bucket = job.buckets[key.bucket].name
            return try !ledger.findings(about: bucket, key: key.key, limit: 1).isEmpty
                || !ledger.journal(about: bucket, key: key.key).isEmpty
        case .record(let identity):
            return try !ledger.findings(about: identity, limit: 1).isEmpty
                || !ledger.journal(about: identity).isEmpty
        }
    }

    // MARK: Ids

    // A step is called after its strategy and the beginning of its finding's id.
    private func byID(_ text: String) throws -> Named? {
        let words = text.split(separator: "-")
        guard let id = words.last, words.count <= 3 else { return nil }
        let strategy = words.dropLast().joined(separator: "-")
        let isStep = Strategy(rawValue: strategy) != nil
        guard isStep || words.count == 1 else { return nil }
        guard let found = try job.ledger.appearance(ofIDBeginning: String(id)) else { return nil }
        let finding = found.finding
        let kind = finding.kind.rawValue + (finding.cause.map { "/\($0.rawValue)" } ?? "")
        let reading =
            isStep ? "the step of the finding \(finding.id), \(kind)" : "the finding, \(kind)"
        if let place = finding.objectPlace, let number = number(of: place.bucket) {
            let key = WantedKey(bucket: number, key: place.key)
            return Named(what: .object(key), reading: reading)
        }
        return finding.record.map { Named(what: .record($0.identity), reading: reading) }
    }

    private func number(of bucket: String) -> Int? {
        job.buckets.firstIndex { $0.name == bucket }
    }

    // MARK: Records

    private func records(named text: String) async throws -> [Named] {
        var named: [Named] = []
        for identity in look.records(named: text) ?? [] {
            named.append(
                Named(
                    what: .record(identity), reading: nil,
                    isKnown: try await isKnown(identity, inCopy: true)))
        }
        return named
    }

    private func records(withID id: [UInt8]) async throws -> [Named] {
        var named: [Named] = []
        for identity in identities(withID: id) where try await isKnown(identity, inCopy: false) {
            named.append(Named(what: .record(identity), reading: nil))
        }
        return named
    }

    // One for each model that may have such an id.
    private func identities(withID id: [UInt8]) -> [RecordIdentity] {
        job.models.compactMap { model in
            let count = model.mapping.id.count
            let own = RecordID(joined: id, parts: count)
            guard own.parts.count == count else { return nil }
            return RecordIdentity(source: model.source, model: model.mapping.model, id: own)
        }
    }

    // A copy cannot be asked for one record, and what it holds counts as said.
    private func isKnown(_ identity: RecordIdentity, inCopy: Bool) async throws -> Bool {
        switch try await look.record(identity) {
        case .rows(let rows): if !rows.isEmpty { return true }
        case .copied: if inCopy { return true }
        case .unmapped: break
        }
        return try isRemembered(.record(identity))
    }

    // MARK: Objects

    private func objects(named text: String) async throws -> [Named] {
        var named: [Named] = []
        for key in await look.objects(named: text) {
            let reading = key.key.bytes.elementsEqual(text.utf8) ? nil : "a spelling of its key"
            named.append(
                Named(what: .object(key), reading: reading, isKnown: try await isKnown(key)))
        }
        return named
    }

    private func isKnown(_ key: WantedKey) async throws -> Bool {
        let bucket = job.buckets[key.bucket]
        if bucket.answersLooks, case .present = await bucket.head(key.key) { return true }
        return try isRemembered(.object(key))
    }

    // The keys of findings of which the text is a shortened form, or what a record would hold.
    private func keptKeys(_ text: [UInt8]) throws -> [Named] {
        let shortened = ShortenedKey(text)
        var (named, seen): ([Named], Set<WantedKey>) = ([], [])
        try job.ledger.keys { place in
            try job.interruption.check()
            guard let number = number(of: place.bucket),
                let reading = reading(of: place.key, text, shortened)
            else { return }
            let key = WantedKey(bucket: number, key: place.key)
            guard seen.insert(key).inserted else { return }
            named.append(Named(what: .object(key), reading: reading))
        }
        return named
    }

    // How a text may name a key that is not spelled like it; nil where it does not.
    private func reading(
        of key: ObjectKey, _ text: [UInt8], _ shortened: ShortenedKey?
    ) -> String? {
        if shortened?.mayMean(key) == true { return "a shortened key" }
        let mayEnd = key.bytes.suffix(text.count).elementsEqual(text)
        guard mayEnd || !job.resolver.endsInValue, key.bytes != text else { return nil }
        let isHeld = job.resolver.readings(of: key).contains { $0.relative == text }
        return isHeld ? "what a record holds" : nil
    }

    // The buckets are listed only where nothing else knows the text.
    private func listed(_ text: [UInt8], instead named: [Named]) async throws -> Answer {
        let shortened = ShortenedKey(text)
        let wanted = Set(named.map(\.what))
        var near = NearKeys(text)
        var (found, unlisted): ([Named], [ScanProblem]) = ([], [])
        for (number, bucket) in job.buckets.enumerated() {
            let listing = try await bucket.list { batch in
                try job.interruption.check()
                for object in batch {
                    let key = WantedKey(bucket: number, key: object.key)
                    let reading = reading(of: object.key, text, shortened)
                    if reading != nil || wanted.contains(.object(key)) {
                        found.append(Named(what: .object(key), reading: reading))
                    }
                    near.add(ObjectPlace(bucket: bucket.name, key: object.key))
                }
            }
            if !listing.isComplete { unlisted += listing.problems.prefix(3) }
        }
        if !found.isEmpty { return bounded(found, nil) }
        let unknown = named.map { Named(what: $0.what, reading: $0.reading, isKnown: false) }
        return Answer(named: unknown, nearest: near.places, unlisted: unlisted)
    }
}
