import MooringDecisions
import MooringModel
import Testing

@Suite("What could be told of an object after an incident")
struct BucketOutlookTests {
    private func settings(
        _ change: (inout StoreSettings) -> Void = { _ in }
    ) -> StoreSettings {
        var settings = StoreSettings(
            versioning: .told(.enabled), lifecycle: .told([]), triggers: .told([]),
            objectLock: .told(.off))
        settings.accessLog = .told(.off)
        change(&settings)
        return settings
    }

    private func answers(
        isAWS: Bool = true, _ change: (inout StoreSettings) -> Void = { _ in }
    ) -> [String: IncidentAnswer] {
        var mapping = BucketMapping(name: "media")
        mapping.prefixes = [ObjectKey("public/")]
        let all = BucketOutlook(settings(change), mapping: mapping, isAWS: isAWS).answers
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    @Test("a directory bucket brings nothing back")
    func directory() {
        let answers = BucketOutlook.directory("media")
        #expect(answers.map(\.name) == ["files of media"])
        #expect(answers.first?.prospect == .no)
        #expect(answers.first?.detail.contains("keeps no versions") == true)
    }

    private func older(_ prefix: String, after days: Int, keeping count: Int? = nil)
        -> LifecycleRule
    {
        var rule = LifecycleRule(name: "old\n", isEnabled: true, prefix: ObjectKey(prefix))
        rule.olderVersionsExpireAfterDays = days
        rule.olderVersionsKept = count
        return rule
    }

    @Test("Versions answer for what is deleted, as long as no rule of these prefixes takes them")
    func versions() {
        let name = "versions of media"
        #expect(answers()[name]?.prospect == .yes)
        #expect(answers()[name]?.detail.hasPrefix("kept: ") == true)
        let limited = answers {
            $0.lifecycle = .told([older("", after: 9), older("public/a/", after: 1, keeping: 2)])
        }
        #expect(
            limited[name]?.detail.hasPrefix(
                "kept for 1 day once replaced, but for the newest 2 (the lifecycle rule") == true)
        #expect(limited[name]?.line.contains("\n") == false)
        let others = answers { $0.lifecycle = .told([older("private/", after: 1)]) }
        #expect(others[name]?.detail.hasPrefix("kept: ") == true)
        let untold = answers { $0.lifecycle = .unknown("no") }
        #expect(untold[name]?.detail.contains("s3:GetLifecycleConfiguration") == true)
        for state in [StoreCapabilities.Versioning.never, .suspended] {
            #expect(answers { $0.versioning = .told(state) }[name]?.prospect == .no)
        }
    }

    @Test("Who deleted an object is told by an access log, and else by nobody that was asked")
    func actor() {
        let off = answers()
        #expect(off["access log of media"]?.prospect == .no)
        #expect(off["CloudTrail of media"]?.prospect == .unknown)
        #expect(answers(isAWS: false)["CloudTrail of media"] == nil)
        let on = answers { $0.accessLog = .told(.to("s3://logs/m/\u{1B}")) }["access log of media"]
        #expect(on?.prospect == .yes && on?.detail.hasPrefix("written to s3://logs/m/") == true)
        #expect(on?.line.contains("\u{1B}") == false)
    }

    @Test("Only what is told of removals counts among the notifications")
    func notices() {
        let name = "notifications of media"
        func trigger(_ target: String, onRemoval: Bool) -> StoreTrigger {
            StoreTrigger(
                target: target, onCreation: true, onRemoval: onRemoval, prefix: ObjectKey(""),
                suffix: ObjectKey(""))
        }
        #expect(answers()[name]?.prospect == .no)
        let made = answers { $0.triggers = .told([trigger("f", onRemoval: false)]) }
        #expect(made[name]?.prospect == .no)
        let gone = answers { $0.triggers = .told([trigger("EventBridge", onRemoval: true)]) }
        #expect(gone[name]?.prospect == .yes)
        #expect(gone[name]?.detail.contains("EventBridge") == true)
    }

    @Test(
        "What a store does not tell is not known, with the permission that it takes",
        arguments: [
            ("versions of media", "s3:GetBucketVersioning"),
            ("access log of media", "s3:GetBucketLogging"),
            ("notifications of media", "s3:GetBucketNotification"),
        ])
    func untold(name: String, permission: String) {
        let answer = answers {
            $0.versioning = .unknown("a 403")
            $0.accessLog = .unknown("a 403")
            $0.triggers = .unknown("a 403")
        }[name]
        #expect(answer?.prospect == .unknown)
        #expect(answer?.detail == "not known: it needs \(permission) (a 403)")
    }

    @Test("A folder can give nothing back but by quarantine, and a copy does not say")
    func others() {
        #expect(BucketOutlook.folder("media").map(\.prospect) == [.no])
        #expect(BucketOutlook.copy("media", kind: "listing").map(\.prospect) == [.unknown])
    }
}
