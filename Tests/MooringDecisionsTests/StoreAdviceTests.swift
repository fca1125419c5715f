import MooringDecisions
import MooringModel
import Testing

@Suite("A bucket's own settings beside the policy")
struct StoreAdviceTests {
    private static func sentences(
        versioning: StoreCapabilities.Versioning = .never, rules: [LifecycleRule] = [],
        triggers: [StoreTrigger] = [], prefixes: [String] = [""], elsewhere: Bool = false
    ) -> [StoreAdvice.Sentence] {
        var policy = RepairPolicy()
        policy.retention = .days(30)
        return StoreAdvice(
            StoreSettings(
                versioning: .told(versioning), lifecycle: .told(rules), triggers: .told(triggers),
                objectLock: .told(.off)),
            mapping: BucketMapping(name: "media", prefixes: prefixes.map { ObjectKey($0) }),
            policy: policy, multipartWindow: .days(7), copiesElsewhere: elsewhere
        ).sentences
    }

    private static func rule(
        _ prefix: String = "", _ change: (inout LifecycleRule) -> Void
    ) -> LifecycleRule {
        var rule = LifecycleRule(name: "r", isEnabled: true, prefix: ObjectKey(prefix))
        change(&rule)
        return rule
    }

    private static let aborting = rule { $0.abortsUploadsAfterDays = 7 }

    @Test("without a rule for open uploads their parts stay; a short one ends them too early")
    func uploads() {
        #expect(
            Self.sentences().map(\.text) == [
                "no lifecycle rule aborts incomplete uploads: their parts are kept and paid for; "
                    + "add a rule with AbortIncompleteMultipartUpload of at least 7d"
            ])
        #expect(Self.sentences(rules: [Self.aborting]).isEmpty)
        let short = Self.rule { $0.abortsUploadsAfterDays = 1 }
        #expect(Self.sentences(rules: [short]).first?.text.contains("uploads after 1d") == true)
        let partial = Self.rule("a/") { $0.abortsUploadsAfterDays = 7 }
        let found = Self.sentences(rules: [partial], prefixes: ["a/b/", "c/"])
        #expect(found.first?.text.contains("of every prefix") == true && found.count == 1)
        let disabled = LifecycleRule(name: "r", isEnabled: false, prefix: ObjectKey(""))
        #expect(Self.sentences(rules: [disabled]).count == 1)
    }

    @Test("older versions that go before the retention contradict the policy where versions are on")
    func noncurrent() {
        let rules = [Self.aborting, Self.rule { $0.olderVersionsExpireAfterDays = 29 }]
        let found = Self.sentences(versioning: .enabled, rules: rules)
        #expect(found.map(\.weight) == [.contradiction])
        #expect(found.first?.text.contains("after 29d") == true)
        #expect(Self.sentences(rules: rules).isEmpty)
        // What is hidden lies in the bucket itself, wherever its note does.
        #expect(Self.sentences(versioning: .enabled, rules: rules, elsewhere: true).count == 1)
        let keeping = Self.rule {
            $0.olderVersionsExpireAfterDays = 1
            $0.olderVersionsKept = 1
        }
        #expect(Self.sentences(versioning: .enabled, rules: [Self.aborting, keeping]).isEmpty)
        let long = Self.rule { $0.olderVersionsExpireAfterDays = 30 }
        #expect(Self.sentences(versioning: .enabled, rules: [Self.aborting, long]).isEmpty)
        let other = Self.rule("z/") { $0.olderVersionsExpireAfterDays = 1 }
        let apart = Self.sentences(
            versioning: .enabled, rules: [Self.aborting, other], prefixes: ["a/"])
        #expect(apart.isEmpty)
    }

    @Test("a rule that expires the quarantine, or the app's objects, is named")
    func expirations() {
        let rules = [Self.aborting, Self.rule { $0.expiresAfterDays = 7 }]
        let all = Self.sentences(rules: rules)
        #expect(all.map(\.weight) == [.contradiction, .note, .note])
        #expect(
            all[1].text.hasSuffix(
                " expires objects of the app on its own: each leaves a reference without an "
                    + "object"))
        let quarantine = Self.rule(".mooring/") { $0.expiresAfterDays = 7 }
        let held = Self.sentences(rules: [Self.aborting, quarantine], prefixes: ["a/"])
        #expect(held.map(\.weight) == [.contradiction, .note])
        let long = Self.rule(".mooring/quarantine/") { $0.expiresAfterDays = 31 }
        #expect(Self.sentences(rules: [Self.aborting, long], prefixes: ["a/"]).isEmpty)
        let archive = Self.rule { $0.archivesAfterDays = 1 }
        let archived = Self.sentences(rules: [Self.aborting, archive])
        #expect(archived.first?.text.contains("archives objects") == true)
    }

    @Test("the rules of a quarantine in another bucket are compared, and those of its own are not")
    func expirationsElsewhere() {
        var settings = StoreSettings(
            versioning: .told(.never),
            lifecycle: .told([Self.aborting, Self.rule(".mooring/") { $0.expiresAfterDays = 7 }]),
            triggers: .told([]), objectLock: .told(.off))
        func sentences() -> [StoreAdvice.Sentence] {
            StoreAdvice(
                settings,
                mapping: BucketMapping(name: "media", prefixes: [ObjectKey("a/")]),
                policy: RepairPolicy(), multipartWindow: .days(7), copiesElsewhere: true
            ).sentences
        }
        func found() -> [StoreAdvice.Weight] { sentences().map(\.weight) }
        #expect(found() == [.note])
        settings.quarantineLifecycle = .told([Self.rule { $0.expiresAfterDays = 29 }])
        #expect(found() == [.contradiction, .note])
        #expect(
            sentences()[0].text.contains(
                " of the quarantine's bucket expires what lies in quarantine after 29d"))
        settings.quarantineLifecycle = .told([
            Self.rule {
                $0.expiresAfterDays = 29
                $0.isOfOwnTag = true
            }
        ])
        #expect(found() == [.note])
        settings.quarantineLifecycle = .unknown("l")
        #expect(found() == [.note, .note])
        #expect(
            sentences()[0].text
                == "not compared with the policy: of the quarantine's bucket, l")
    }

    @Test("a rule that expires the marker is named, whatever its days")
    func marker() {
        for head in [".moor", ".mooring/store"] {
            let rule = Self.rule(head) { $0.expiresAfterDays = 3_650 }
            let found = Self.sentences(rules: [Self.aborting, rule], prefixes: ["a/"])
            #expect(found.map(\.weight) == [.note], "\(head)")
            #expect(
                found.first?.text.hasSuffix(
                    " expires .mooring/store, Mooring's marker of this bucket, after which every "
                        + "act is refused until it is accepted anew: leave .mooring/ out of the "
                        + "rule") == true)
        }
        let apart = Self.rule(".mooring/quarantine/") { $0.expiresAfterDays = 3_650 }
        #expect(Self.sentences(rules: [Self.aborting, apart], prefixes: ["a/"]).isEmpty)
    }

    @Test("what is called for a copy into quarantine, or for a removal, is named")
    func triggers() {
        func trigger(_ prefix: String, removal: Bool) -> StoreTrigger {
            StoreTrigger(
                target: "arn:f", onCreation: !removal, onRemoval: removal,
                prefix: ObjectKey(prefix), suffix: ObjectKey(""))
        }
        func found(_ trigger: StoreTrigger, elsewhere: Bool = false) -> Int {
            Self.sentences(
                rules: [Self.aborting], triggers: [trigger], prefixes: ["a/"],
                elsewhere: elsewhere
            ).count
        }
        #expect(found(trigger("", removal: false)) == 1)
        #expect(found(trigger("", removal: false), elsewhere: true) == 0)
        #expect(found(trigger("a/", removal: false)) == 0)
        #expect(found(trigger("a/b/", removal: true)) == 1)
        #expect(found(trigger("z/", removal: true)) == 0)
    }

    @Test("what the store does not tell is named, and nothing is concluded from it")
    func unknown() {
        let sentences = StoreAdvice(
            StoreSettings(
                versioning: .unknown("v"), lifecycle: .unknown("l"), triggers: .unknown("t"),
                objectLock: .told(.on)),
            mapping: BucketMapping(name: "media"), policy: RepairPolicy(),
            multipartWindow: .days(7), copiesElsewhere: false
        ).sentences
        #expect(sentences.count == 4 && sentences.allSatisfy { $0.weight == .note })
        #expect(sentences.last?.text.contains("object lock is on") == true)
    }

    @Test("a lock that keeps whatever is written asks for a quarantine in another bucket")
    func locked() {
        for elsewhere in [false, true] {
            let texts = StoreAdvice(
                StoreSettings(
                    versioning: .told(.enabled), lifecycle: .told([Self.aborting]),
                    triggers: .told([]), objectLock: .told(.keeping("30 days (GOVERNANCE)"))),
                mapping: BucketMapping(name: "media"), policy: RepairPolicy(),
                multipartWindow: .days(7), copiesElsewhere: elsewhere
            ).sentences.map(\.text)
            let text = texts.first { $0.contains("30 days (GOVERNANCE)") }
            #expect(
                text
                    == "object lock keeps whatever is written for 30 days (GOVERNANCE): "
                    + (elsewhere
                        ? "nothing is tried here, and nothing locked is moved or swept"
                        : "nothing can be moved into a quarantine here; give it a bucket of its "
                            + "own without a default retention (quarantine: {bucket: …})"))
        }
    }
}
