package import MooringModel

/// Guards that a person accepted in words: by `GUARD` or `GUARD:PLACE`, with the written value,
/// and the number in it.
package struct Acceptance: Hashable, Sendable {
    /// The values as they were written, by guard and place.
    package private(set) var texts: [String: String]
    /// The values as numbers: a share of one, a count, or bytes.
    package private(set) var numbers: [String: Double]
    /// Those whose value names a run in which a person saw this guard refuse at this place.
    package var reviewed: Set<String> = []
    /// Short names of places that stand for several, such as a field of an authority and of its
    /// copies: they cover none.
    package var ambiguous: Set<String> = []
    /// The buckets and sources that are those meant from now on, whatever the ledger knew.
    package var identities: Set<String> = []
    /// How many references below which prefixes may be without their objects.
    package var losses: [[UInt8]: Int] = [:]

    /// Acceptances by guard and place.
    package init(texts: [String: String] = [:], numbers: [String: Double] = [:]) {
        self.texts = texts
        self.numbers = numbers
    }

    /// What one of two acceptances takes; these win.
    package func over(_ other: Acceptance) -> Acceptance {
        var merged = self
        merged.texts.merge(other.texts) { own, _ in own }
        merged.numbers.merge(other.numbers) { own, _ in own }
        merged.reviewed.formUnion(other.reviewed)
        merged.ambiguous.formUnion(other.ambiguous)
        merged.identities.formUnion(other.identities)
        merged.losses.merge(other.losses) { own, _ in own }
        return merged
    }

    /// The guard and the place that a name such as `orphanShare:media` stands for.
    package static func parts(_ name: String) -> (name: String, place: String?) {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// The value and the reviewed run that a text such as `60%@RUN` stands for.
    package static func value(_ text: String) -> (value: String, run: String?) {
        guard let mark = text.lastIndex(of: "@") else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    /// What of the texts these answers used: what no guard needed is no part of a plan.
    package func texts(usedBy answers: [RunSummary.Guard]) -> [String: String] {
        texts.filter { key, text in
            answers.contains {
                $0.accepted == text && fits(key, $0.name, $0.place, isOnly: true)
            }
        }
    }

    /// Whether something was accepted of a guard at a place, whatever the number: there, or of the
    /// guard alone.
    package func names(_ guardName: String, at place: String?) -> Bool {
        texts.keys.contains { fits($0, guardName, place, isOnly: true) }
    }

    /// The largest number accepted of a guard at a place; nil where there is none.
    package func number(_ guardName: String, at place: String?) -> Double? {
        numbers.filter { fits($0.key, guardName, place, isOnly: true) }.map(\.value).max()
    }

    /// Whether an accepted number covers a measured one. A share is written in hundredths of a
    /// percent, which no binary fraction holds exactly.
    package static func covers(_ number: Double, by accepted: Double) -> Bool {
        number <= accepted * (1 + 1e-12)
    }

    /// The written value that covers what a guard measured; nil where none does. One without a
    /// place covers only where no other place exceeds its limit, and a number that is too large
    /// for a ready command needs a reviewed run.
    func covering(
        _ measured: MeasuredGuard, isOnly: Bool, needsReview: Bool
    ) -> String? {
        numbers.first { key, number in
            fits(key, measured.name, measured.place?.text, isOnly: isOnly)
                && Self.covers(measured.number, by: number)
                && (!needsReview || !measured.isGrave || reviewed.contains(key))
        }.map { texts[$0.key] ?? "" }
    }

    /// Whether what was accepted by this name is of a guard at a place: at its whole text or, where
    /// that can mean no other place, at that without the source's name.
    package func names(_ key: String, _ guardName: String, at place: String) -> Bool {
        let named = Self.parts(key)
        guard named.name == guardName, let text = named.place else { return false }
        guard text != place else { return true }
        return AcceptableGuard(rawValue: guardName)?.measuresRecords == true
            && !ambiguous.contains(text) && GuardedPlace.short(place) == text
    }

    private func fits(
        _ key: String, _ guardName: String, _ place: String?, isOnly: Bool
    ) -> Bool {
        let named = Self.parts(key)
        guard named.name == guardName else { return false }
        guard named.place != nil else { return place == nil || isOnly }
        return place.map { names(key, guardName, at: $0) } ?? false
    }
}
