package import MooringModel

/// The guard `identity`: nothing is done on a store that is not the one the ledger knows under this
/// name. Pure; who asks does what the answer says.
package enum IdentityRule {
    /// The guard's name, as `--accept identity:NAME` has it.
    package static let name = "identity"
    /// What a bucket is known by: the id in its marker, where the bucket is, and what it keeps when
    /// it is moved as a whole.
    package static let markerPart = "marker"
    package static let placePart = "place"
    package static let tracePart = "trace"

    /// What to do where a marker could not be read.
    package static let readable =
        "let this role or user read \(StoreMarker.key.text) (mooring iam-policy prints what S3 "
        + "has to allow), then run the command again"

    private static let limit = "the store that the ledger knows"

    /// What a look for a bucket's marker found.
    package enum Found: Hashable, Sendable {
        case marker(StoreMarker)
        /// The store said that there is none.
        case absent
        /// In words: why it is not known.
        case unreadable(String)
    }

    /// What is known of one bucket.
    package struct BucketFacts: Hashable, Sendable {
        /// The bucket's name.
        package var name: String
        /// What the ledger knows it by; empty when it knows nothing.
        package var known: [String: String]
        /// What the look for its marker found.
        package var found: Found
        /// Where the bucket is now, as `MarkerReader.markerPlace` has it.
        package var place: String
        /// What it keeps when it is moved as a whole; nil where nothing tells.
        package var trace: String?
        /// Whether the marker was copied here from where the ledger knows it.
        package var isCopy: Bool
        /// Whether a person said that this is the one from now on.
        package var isAccepted: Bool

        /// Facts about a bucket.
        package init(
            name: String, known: [String: String], found: Found, place: String,
            isCopy: Bool = false, isAccepted: Bool = false
        ) {
            self.name = name
            self.known = known
            self.found = found
            self.place = place
            self.isCopy = isCopy
            self.isAccepted = isAccepted
        }
    }

    /// What follows from a look.
    package struct Answer: Hashable, Sendable {
        /// The guard's answer, for the report.
        package var answer: RunSummary.Guard
        /// What the ledger shall know from now on, whatever else a guard says.
        package var adopts: [String: String] = [:]
        /// What it shall know once every guard passed.
        package var adoptsLater: [String: String] = [:]
        /// Whether the ledger shall forget what it knew.
        package var forgets = false
        /// Whether a marker has to be written once every guard passed.
        package var wantsMarker = false
        /// Why every act is refused; nil when none is.
        package var refusal: String?
    }

    /// The answer for a bucket, from what the ledger knows and what the look found.
    package static func answer(_ facts: BucketFacts) -> Answer {
        switch facts.found {
        case .unreadable(let reason): unreadable(facts, reason)
        case .absent: absent(facts)
        case .marker(let marker): present(facts, marker)
        }
    }

    private static func unreadable(_ facts: BucketFacts, _ reason: String) -> Answer {
        let isKnown = facts.known[markerPart] != nil
        var answer = Answer(
            answer: guardAnswer(
                facts.name, value: "not checked: \(reason)", refused: isKnown,
                hint: readable))
        answer.refusal =
            "whether bucket \(facts.name) is the one that the ledger knows could not "
            + "be checked: \(reason)"
        return answer
    }

    private static func absent(_ facts: BucketFacts) -> Answer {
        guard facts.known[markerPart] != nil else {
            var answer = Answer(
                answer: guardAnswer(
                    facts.name, value: "no marker yet: a run that acts writes one",
                    refused: false))
            answer.wantsMarker = true
            return answer
        }
        if facts.isAccepted {
            var answer = Answer(
                answer: guardAnswer(
                    facts.name, value: "its marker is absent, accepted", refused: false))
            answer.forgets = true
            answer.wantsMarker = true
            return answer
        }
        return refused(
            facts.name, value: "its marker is absent",
            found: "bucket \(facts.name) has not the marker (\(StoreMarker.key.text)) that the "
                + "ledger knows it by: most likely its disk is not mounted, the configuration "
                + "names another folder or bucket, or it was emptied or made anew")
    }

    private static func present(_ facts: BucketFacts, _ marker: StoreMarker) -> Answer {
        var parts = [markerPart: marker.id, placePart: facts.place]
        parts[tracePart] = facts.trace
        guard let known = facts.known[markerPart] else {
            var answer = Answer(
                answer: guardAnswer(
                    facts.name, value: "a marker that is new to this ledger", refused: false))
            answer.adoptsLater = parts
            return answer
        }
        if known == marker.id, !facts.isCopy {
            var answer = Answer(
                answer: guardAnswer(facts.name, value: "known", refused: false))
            let isAsKnown =
                facts.known[placePart] == facts.place && facts.known[tracePart] == facts.trace
            if !isAsKnown { answer.adopts = parts }
            return answer
        }
        if facts.isAccepted {
            var answer = Answer(
                answer: guardAnswer(facts.name, value: "another store, accepted", refused: false))
            answer.adopts = parts
            return answer
        }
        let (value, what) = other(facts, marker)
        return refused(facts.name, value: value, found: "bucket \(facts.name) \(what)")
    }

    // What most likely happened to a bucket that is another one.
    private static func other(
        _ facts: BucketFacts, _ marker: StoreMarker
    ) -> (value: String, what: String) {
        guard facts.known[markerPart] == marker.id else {
            return (
                "another store",
                "has another marker (\(StoreMarker.key.text)) than the ledger knows: most likely "
                    + "the configuration names another app's bucket or another environment's"
            )
        }
        guard facts.known[placePart] != facts.place else {
            return (
                "a copy at the same place",
                "lies where the ledger knows it, and its marker (\(StoreMarker.key.text)) is a "
                    + "copy of the one that lay there: most likely another disk or an older copy "
                    + "is mounted there, or it was restored from a backup, and what came since may "
                    + "be missing"
            )
        }
        return (
            "a copy",
            "is a copy of the one that the ledger knows, or the same at another address or on "
                + "another disk; the one that the ledger knows may be there still"
        )
    }

    /// The answer for a source of records; nil where nothing tells it from another.
    package static func answer(
        source: String, known: [String: String], found: SourceIdentity, isAccepted: Bool
    ) -> Answer? {
        let differing = found.parts.filter { part, value in
            known[part].map { $0 != value } ?? false
        }
        guard differing.isEmpty || isAccepted else {
            let names = differing.keys.sorted().prefix(3).map { Quoted.text(Array($0.utf8)) }
            return refused(
                source, value: "another store (\(names.joined(separator: ", ")))",
                found: "source \(source) is not the one that the ledger knows: its "
                    + names.joined(separator: " and ") + " has another id; most likely the "
                    + "configuration or the environment names another database, or it was "
                    + "dropped and made anew")
        }
        if let reason = found.unread.first, found.hides(partOf: known) {
            return hidden(source, found, reason, isAccepted: isAccepted)
        }
        if found.parts.isEmpty {
            guard let reason = found.unread.first else { return nil }
            return Answer(
                answer: guardAnswer(source, value: "not checked: \(reason)", refused: false))
        }
        var answer = Answer(
            answer: guardAnswer(
                source,
                value: differing.isEmpty
                    ? (known.isEmpty ? "new to this ledger" : "known")
                        + (found.unread.first.map { "; not checked: \($0)" } ?? "")
                    : "another store, accepted",
                refused: false))
        if differing.isEmpty {
            answer.adoptsLater = found.parts.filter { known[$0.key] == nil }
        } else {
            answer.adopts = found.parts
        }
        return answer
    }

    // What was known once and cannot be read today; where nothing could be read, no word helps.
    private static func hidden(
        _ source: String, _ found: SourceIdentity, _ reason: String, isAccepted: Bool
    ) -> Answer {
        if isAccepted, !found.parts.isEmpty {
            var answer = Answer(
                answer: guardAnswer(
                    source, value: "accepted; not checked: \(reason)", refused: false))
            answer.forgets = true
            answer.adopts = found.parts
            return answer
        }
        var answer = Answer(
            answer: guardAnswer(
                source, value: "not checked: \(reason)", refused: true,
                hint: "let this role read it again, as it could before, and run the command "
                    + "again; if it shall go by what it can read: mooring audit --accept "
                    + "identity:\(source)"))
        answer.refusal =
            "whether source \(source) is the one that the ledger knows could not be checked: "
            + reason
        return answer
    }

    private static func refused(_ place: String, value: String, found: String) -> Answer {
        var answer = Answer(
            answer: guardAnswer(
                place, value: value, refused: true,
                hint: "mount it or correct the configuration; if this is the store that is meant "
                    + "from now on: mooring audit --accept identity:\(place)"))
        answer.refusal = found
        return answer
    }

    private static func guardAnswer(
        _ place: String, value: String, refused: Bool, hint: String? = nil
    ) -> RunSummary.Guard {
        RunSummary.Guard(
            name: name, place: place, limit: limit, value: value, refused: refused,
            hint: refused ? hint : nil)
    }

    /// Those of a run's guards that say that a store is another one, or may be.
    package static func refusals(in guards: [RunSummary.Guard]) -> [RunSummary.Guard] {
        guards.filter { $0.name == name && $0.refused }
    }
}

extension SourceIdentity {
    /// Whether a part that is known could not be read; one that is no longer asked for is no such
    /// part where the source names those that it could not read.
    fileprivate func hides(partOf known: [String: String]) -> Bool {
        known.keys.contains { parts[$0] == nil && (unreadParts?.contains($0) ?? true) }
    }
}
