import MooringModel

/// The guards on what is missing: a bucket's objects, or a field's references, fewer than before.
struct DropGuard {
    /// The general limits, and those of places that have their own.
    let limits: Limits

    /// The fewest that must be lost before a loss counts in a place of its own.
    static let fewest = 10

    /// Objects fewer than usual, or none at all though records refer to the bucket: what an
    /// empty mount point, a bucket made anew and a wrong prefix look like.
    func objects(_ bucket: GuardFacts.Bucket) -> MeasuredGuard {
        let place = GuardedPlace.bucket(bucket.name)
        let limit = limits.at(place).objectDrop
        var drop = Drop("objects", now: bucket.objects, before: bucket.usual)
        var cause = "bucket '\(bucket.name)' lost half of its objects: is it the right one?"
        let isEmpty =
            bucket.objects == 0 && bucket.ignoredReferenced == 0 && !bucket.isRetired
        if isEmpty, bucket.references > 0, limit < 1 {
            drop.isEmptied = true
            drop.words = "no objects, though \(bucket.references) references mean it"
            cause =
                "bucket '\(bucket.name)' is empty: is its folder mounted, and are its name and "
                + "its prefixes right?"
        }
        return measured(
            place, drop, limit: limit,
            cause: drop.share >= 0.5 ? cause : nil)
    }

    /// References fewer than usual, field by field. Fields that are too small for a loss of
    /// their own to count are taken together, source by source.
    func references(_ facts: GuardFacts) -> [MeasuredGuard] {
        var answers = facts.fields.map { field in
            measured(
                field.place,
                Drop("references", now: field.references, before: field.usual),
                limit: limits.at(field.place).referenceDrop, cause: cause(field))
        }
        var sources: [String] = []
        for source in facts.fields.compactMap(\.place.source) where !sources.contains(source) {
            sources.append(source)
        }
        let isBare =
            !facts.fields.isEmpty && facts.fields.allSatisfy { $0.references == 0 }
            && (facts.buckets.contains { $0.held > 0 }
                || facts.acts.contains { $0.share.kind == .orphanShare && $0.planned > 0 })
        for source in sources {
            let own = facts.fields.filter { $0.place.source == source }
            let gone = held(by: own, earlier: facts.earlier[source])
            let isTold = zip(facts.fields, answers).contains {
                $0.place.source == source && $1.exceeds
            }
            if !isBare, !isTold, gone > ShareGuard.always, own.allSatisfy({ $0.references == 0 }) {
                answers.append(
                    emptied(
                        source, gone,
                        "records '\(source)' hold no reference any more: is it the right store?"))
            } else {
                answers += total(
                    of: own, source, earlier: facts.earlier[source], isBare: isBare)
            }
        }
        let told = answers.filter(\.exceeds).compactMap(\.place)
        let lost = facts.texts.filter { !told.contains(.source($0.source)) }
            .map { texts($0, facts) }
        return answers + lost.filter(\.exceeds) + facts.rows.map(rows).filter(\.exceeds)
            + facts.absent.map(absence)
    }

    // Records that no file field tells of: a copy's rows go by them, and children by their parents.
    private func rows(_ rows: GuardFacts.Rows) -> MeasuredGuard {
        let limit = limits.at(rows.place).referenceDrop
        var drop = Drop("records", now: rows.records, before: rows.usual)
        drop.isEmptied = limit < 1 && rows.records == 0 && rows.usual > ShareGuard.always
        return measured(
            rows.place, drop, limit: limit,
            cause: drop.share < 0.5
                ? nil
                : "\(rows.place.text) lost half of its records: is it the right table and store?")
    }

    // Objects that only texts of a source protected. What its fields gained since is what was
    // mapped meanwhile, and what is no orphan now is not lost, either.
    private func texts(_ texts: GuardFacts.Texts, _ facts: GuardFacts) -> MeasuredGuard {
        let place = GuardedPlace.source(texts.source)
        let gained = facts.fields.filter { $0.place.source == texts.source }
            .reduce(0) { $0 + $1.references - ($1.usual ?? 0) }
        let now = min(
            texts.usual,
            max(texts.objects + max(0, gained), texts.usual - facts.orphans))
        var drop = Drop("objects that its texts name", now: now, before: texts.usual)
        let limit = limits.at(place).referenceDrop
        drop.isEmptied = limit < 1 && now == 0 && texts.usual > ShareGuard.always
        return measured(
            place, drop, limit: limit,
            cause: "texts of records '\(texts.source)' no longer name the objects that only they "
                + "named: is it the right store?")
    }

    // A source or a field that was taken out of the configuration references nothing any more.
    private func absence(_ absence: GuardFacts.Absence) -> MeasuredGuard {
        emptied(
            absence.source, absence.references,
            absence.isConfigured
                ? "models or fields of records '\(absence.source)' are no longer configured: do "
                    + "they mean no object of these buckets any more?"
                : "records '\(absence.source)' are no longer configured: do they mean no object of "
                    + "these buckets any more?")
    }

    // What the fields of a source held in all, those left out whose loss is no loss.
    private func held(by fields: [GuardFacts.Field], earlier: Int?) -> Int {
        earlier
            ?? fields.filter { limits.at($0.place).referenceDrop < 1 }
            .reduce(0) { $0 + ($1.usual ?? 0) }
    }

    // A whole source that held something and holds nothing, however little it was.
    private func emptied(_ source: String, _ before: Int, _ cause: String) -> MeasuredGuard {
        let limit = limits.at(.source(source)).referenceDrop
        var drop = Drop("references", now: 0, before: before)
        drop.isEmptied = limit < 1
        return measured(.source(source), drop, limit: limit, cause: cause)
    }

    // A loss that its own place is too small for still counts: many small fields are emptied at
    // once where a database is exchanged. No reference anywhere is a loss on a first run too.
    private func total(
        of fields: [GuardFacts.Field], _ source: String, earlier: Int?, isBare: Bool
    ) -> [MeasuredGuard] {
        let limit = limits.at(.source(source)).referenceDrop
        let small = fields.filter { field in
            guard let before = field.usual else { return false }
            return before - field.references < Self.fewest
                && Double(before) * limits.at(field.place).referenceDrop < Double(Self.fewest)
        }
        var drop = Drop(
            "references", now: small.reduce(0) { $0 + $1.references },
            before: small.isEmpty ? nil : small.reduce(0) { $0 + ($1.usual ?? 0) })
        if let earlier {
            drop = Drop(
                "references", now: fields.reduce(0) { $0 + $1.references }, before: earlier)
        }
        if isBare {
            drop.isEmptied = true
            drop.words = "no references"
        }
        let answer = measured(
            .source(source), drop, limit: limit,
            cause: isBare
                ? "records '\(source)' hold no reference at all: is it the right store?"
                : nil)
        return small.count > 1 || earlier != nil || isBare ? [answer] : []
    }

    private func cause(_ field: GuardFacts.Field) -> String? {
        guard let before = field.usual, field.references * 2 <= before else { return nil }
        if field.rows == 0 {
            return "\(field.place.text) has no records left: is it the right table and store?"
        }
        return "\(field.place.text) lost half of its references: is it the right store?"
    }

    private func measured(
        _ place: GuardedPlace, _ drop: Drop, limit: Double, cause: String?
    ) -> MeasuredGuard {
        let isBucket = place.source == nil
        let exceeds = drop.isEmptied || drop.lost >= Self.fewest && drop.share > limit
        return MeasuredGuard(
            name: (isBucket ? AcceptableGuard.objectDrop : .referenceDrop).rawValue, place: place,
            limit: Measure.share(limit), value: drop.words,
            number: drop.share, exceeds: exceeds, isGrave: drop.share > 0.5,
            covering: MeasuredGuard.covering(drop.share), cause: exceeds ? cause : nil,
            review: isBucket ? "check the bucket" : "check the records")
    }
}

/// A count against what it was.
private struct Drop {
    let now: Int
    let before: Int?
    /// Whether nothing is there where something must be.
    var isEmptied = false
    /// The comparison in words.
    var words: String

    init(_ noun: String, now: Int, before: Int?) {
        self.now = now
        self.before = before
        words = ""
        switch before {
        case nil: words = "no earlier run (\(now))"
        case .some(let before) where now == 0 && before > 0:
            words = "no \(noun) (\(before) before)"
        case .some(let before): words = "\(Measure.share(share)) (\(before) to \(now))"
        }
    }

    var lost: Int { max(0, (before ?? now) - now) }
    var share: Double { isEmptied ? 1 : Double(lost) / Double(max(before ?? 0, 1)) }
}
