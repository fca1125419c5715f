package import MooringModel

/// What of a bucket's own settings works against the policy, or costs money unnoticed.
package struct StoreAdvice: Hashable, Sendable {
    /// How grave it is.
    package enum Weight: Hashable, Sendable {
        /// What the policy promises does not hold.
        case contradiction
        /// Good to know.
        case note
    }

    /// One sentence about one setting.
    package struct Sentence: Hashable, Sendable {
        /// How grave it is.
        package let weight: Weight
        /// What was found, what follows, and what to do.
        package let text: String
    }

    private let settings: StoreSettings
    private let mapping: BucketMapping
    private let policy: RepairPolicy
    private let multipartWindow: Duration
    private let copiesElsewhere: Bool

    /// Advice for a bucket; `copiesElsewhere` says that its quarantine is another bucket.
    package init(
        _ settings: StoreSettings, mapping: BucketMapping, policy: RepairPolicy,
        multipartWindow: Duration, copiesElsewhere: Bool
    ) {
        self.settings = settings
        self.mapping = mapping
        self.policy = policy
        self.multipartWindow = multipartWindow
        self.copiesElsewhere = copiesElsewhere
    }

    /// Every sentence, contradictions first.
    package var sentences: [Sentence] {
        let all = unknowns + lifecycle + triggers + lock
        return all.filter { $0.weight == .contradiction } + all.filter { $0.weight == .note }
    }

    private var unknowns: [Sentence] {
        var reasons: [String] = []
        if case .unknown(let reason) = settings.versioning { reasons.append(reason) }
        if case .unknown(let reason) = settings.lifecycle { reasons.append(reason) }
        if case .unknown(let reason) = settings.triggers { reasons.append(reason) }
        if case .unknown(let reason)? = settings.quarantineLifecycle {
            reasons.append("of the quarantine's bucket, \(reason)")
        }
        return reasons.map { Sentence(weight: .note, text: "not compared with the policy: \($0)") }
    }

    private var lifecycle: [Sentence] {
        guard let all = settings.lifecycle.value else { return [] }
        let rules = all.filter(\.isEnabled)
        return uploads(rules) + expirations(rules) + archives(rules) + marker(rules)
    }

    // A rule that is narrowed by tags leaves the marker, which has none; one by size may not.
    private func marker(_ rules: [LifecycleRule]) -> [Sentence] {
        rules.filter { $0.expiresAfterDays != nil && StoreMarker.key.hasPrefix($0.prefix.bytes) }
            .map {
                Sentence(
                    weight: .note,
                    text: "\($0.words) expires \(StoreMarker.key.text), Mooring's marker of this "
                        + "bucket, after which every act is refused until it is accepted anew: "
                        + "leave .mooring/ out of the rule")
            }
    }

    private func uploads(_ rules: [LifecycleRule]) -> [Sentence] {
        let aborting = rules.filter { $0.abortsUploadsAfterDays != nil && !$0.isNarrowed }
        let uncovered = mapping.prefixes.filter { prefix in
            !aborting.contains { prefix.hasPrefix($0.prefix.bytes) }
        }
        let window = multipartWindow.label
        var sentences: [Sentence] = []
        if !uncovered.isEmpty {
            sentences.append(
                Sentence(
                    weight: .note,
                    text: "no lifecycle rule aborts incomplete uploads"
                        + (uncovered.count == mapping.prefixes.count ? "" : " of every prefix")
                        + ": their parts are kept and paid for; add a rule with "
                        + "AbortIncompleteMultipartUpload of at least \(window)"))
        }
        for rule in aborting where days(rule.abortsUploadsAfterDays) < multipartWindow {
            sentences.append(
                Sentence(
                    weight: .note,
                    text: "\(rule.words) aborts uploads after "
                        + "\(days(rule.abortsUploadsAfterDays).label), before race.multipartWindow "
                        + "(\(window)) has passed: uploads that devices go on with are lost"))
        }
        return sentences
    }

    private func expirations(_ rules: [LifecycleRule]) -> [Sentence] {
        let retention = policy.retention
        var sentences: [Sentence] = []
        for rule in rules
        where keepsVersions && rule.removesHidden(below: mapping.prefixes, within: retention) {
            sentences.append(
                Sentence(
                    weight: .contradiction,
                    text: "\(rule.words) removes older versions after "
                        + "\(days(rule.olderVersionsExpireAfterDays).label), "
                        + "and repair.retention is \(retention.label): what is quarantined "
                        + "under a delete marker goes earlier than the policy says; lengthen "
                        + "NoncurrentDays, or shorten the retention"))
        }
        let held = copiesElsewhere ? settings.quarantineLifecycle?.value ?? [] : rules
        for rule in held where rule.expires(mapping.quarantine, within: retention) {
            sentences.append(
                Sentence(
                    weight: .contradiction,
                    text: "\(rule.words)\(copiesElsewhere ? " of the quarantine's bucket" : "") "
                        + "expires what lies in quarantine after "
                        + "\(days(rule.expiresAfterDays).label), and repair.retention is "
                        + "\(retention.label); leave \(mapping.quarantine.text) out of the rule"))
        }
        for rule in rules where rule.expiresAfterDays != nil && touches(rule) {
            sentences.append(
                Sentence(
                    weight: .note,
                    text: "\(rule.words) expires objects of the app on its own: each leaves a "
                        + "reference without an object"))
        }
        return sentences
    }

    private func archives(_ rules: [LifecycleRule]) -> [Sentence] {
        rules.filter { $0.archivesAfterDays != nil && touches($0) }.map {
            Sentence(
                weight: .note,
                text: "\($0.words) archives objects: they count as present, and cannot be copied "
                    + "into quarantine before they are restored from the archive")
        }
    }

    // Under versions nothing is copied: a removal is a delete marker, and a small note is written.
    private var triggers: [Sentence] {
        guard let triggers = settings.triggers.value else { return [] }
        var sentences: [Sentence] = []
        for trigger in triggers {
            if trigger.onCreation, !copiesElsewhere,
                overlaps(trigger.prefix, mapping.quarantine)
            {
                sentences.append(
                    Sentence(
                        weight: .note,
                        text: "\(trigger.target) is called for each object that goes into "
                            + "quarantine, as for a new upload; give the quarantine a bucket of "
                            + "its own (quarantine: {bucket: …}), or leave "
                            + "\(mapping.quarantine.text) out of the trigger"))
            }
            if trigger.onRemoval,
                mapping.prefixes.contains(where: { overlaps(trigger.prefix, $0) })
            {
                sentences.append(
                    Sentence(
                        weight: .note,
                        text: "\(trigger.target) is called for each object that is quarantined, "
                            + "as for a removal by the app"))
            }
        }
        return sentences
    }

    private var lock: [Sentence] {
        switch settings.objectLock.value {
        case nil, .off: return []
        case .on:
            return [
                Sentence(
                    weight: .note,
                    text: "object lock is on: a locked version cannot be removed for good before "
                        + "its time, so a sweep may leave some behind and says which")
            ]
        case .keeping(let time):
            return [
                Sentence(
                    weight: .note,
                    text: "object lock keeps whatever is written for \(time): "
                        + (copiesElsewhere
                            ? "nothing is tried here, and nothing locked is moved or swept"
                            : "nothing can be moved into a quarantine here; give it a bucket of "
                                + "its own without a default retention (quarantine: {bucket: …})"))
            ]
        }
    }

    private var keepsVersions: Bool { settings.versioning.value == .enabled }

    private func touches(_ rule: LifecycleRule) -> Bool {
        mapping.prefixes.contains { overlaps(rule.prefix, $0) }
    }

    private func overlaps(_ one: ObjectKey, _ other: ObjectKey) -> Bool {
        one.hasPrefix(other.bytes) || other.hasPrefix(one.bytes)
    }

    private func days(_ count: Int?) -> Duration { .days(Int64(count ?? 0)) }
}
