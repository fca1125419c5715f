package import MooringModel

/// What could be told of an object of one bucket after an incident. Pure.
package struct BucketOutlook: Sendable {
    private let name: String
    private let mapping: BucketMapping
    private let settings: StoreSettings
    private let isAWS: Bool

    /// The outlook of a bucket that tells its settings; `isAWS` where CloudTrail may record it.
    package init(_ settings: StoreSettings, mapping: BucketMapping, isAWS: Bool) {
        self.settings = settings
        self.mapping = mapping
        self.isAWS = isAWS
        name = mapping.name
    }

    /// The answer of a folder, which is asked for nothing.
    package static func folder(_ name: String) -> [IncidentAnswer] {
        [
            IncidentAnswer(
                "files of \(name)", .no,
                "a folder keeps no versions and no log: what others delete or overwrite could not "
                    + "be brought back, only what Mooring quarantined; who did it could not be told"
            )
        ]
    }

    /// The answer of a copy of a bucket.
    package static func copy(_ name: String, kind: String) -> [IncidentAnswer] {
        [
            IncidentAnswer(
                "files of \(name)", .unknown,
                "not known: a copy (\(kind)) does not say what the bucket itself keeps")
        ]
    }

    /// The answer of a directory bucket of S3.
    package static func directory(_ name: String) -> [IncidentAnswer] {
        [
            IncidentAnswer(
                "files of \(name)", .no,
                "a directory bucket keeps no versions, and Mooring changes nothing in it: what "
                    + "others delete or overwrite there could not be brought back")
        ]
    }

    /// Its versions, its access log, CloudTrail, and who is told of removals.
    package var answers: [IncidentAnswer] {
        [versions, accessLog] + (isAWS ? [trail] : []) + [notices]
    }

    private var versions: IncidentAnswer {
        let name = "versions of \(name)"
        switch settings.versioning {
        case .unknown(let reason):
            return .untold(name, reason, needs: "s3:GetBucketVersioning")
        case .told(.never):
            return IncidentAnswer(
                name, .no,
                "not kept: an object that others delete or overwrite could not be brought back, "
                    + "only what Mooring quarantined")
        case .told(.suspended):
            return IncidentAnswer(
                name, .no,
                "suspended: an object written since then that others delete or overwrite could "
                    + "not be brought back")
        case .told(.enabled):
            return IncidentAnswer(
                name, .yes,
                "kept" + limit
                    + ": a deleted or overwritten object can be brought back (mooring explain KEY "
                    + "tells how)")
        }
    }

    // For how long an older version stays.
    private var limit: String {
        guard let rules = settings.lifecycle.value else {
            return ", for how long is not known (it needs s3:GetLifecycleConfiguration)"
        }
        let removing = rules.filter { rule in
            rule.isEnabled && !rule.isOfOwnTag && rule.olderVersionsExpireAfterDays != nil
                && mapping.prefixes.contains(where: rule.overlaps)
        }
        let days = { (rule: LifecycleRule) in rule.olderVersionsExpireAfterDays ?? 0 }
        guard let first = removing.min(by: { days($0) < days($1) }) else { return "" }
        let count = days(first)
        let newest = first.olderVersionsKept.map { ", but for the newest \($0)" } ?? ""
        let rule = Self.shown(first.words)
        return " for \(Measure.count(count, "day")) once replaced\(newest) (\(rule))"
    }

    private var accessLog: IncidentAnswer {
        let name = "access log of \(name)"
        switch settings.accessLog {
        case .unknown(let reason): return .untold(name, reason, needs: "s3:GetBucketLogging")
        case .told(.off):
            return IncidentAnswer(name, .no, "off: who deleted an object could not be told by it")
        case .told(.to(let place)):
            return IncidentAnswer(
                name, .yes,
                "written to \(Self.shown(place)): who deleted an object can be told, hours later "
                    + "and as far as its line came (mooring explain KEY --events FILE)")
        }
    }

    // What a store wrote, on one line.
    private static func shown(_ text: String) -> String { Quoted.bare(Array(text.utf8)) }

    private var trail: IncidentAnswer {
        IncidentAnswer(
            "CloudTrail of \(name)", .unknown,
            "not checked, since rights on a bucket do not show it: see aws cloudtrail "
                + "get-event-selectors --trail-name NAME; without data events of this bucket it "
                + "tells nobody's deletion")
    }

    private var notices: IncidentAnswer {
        let name = "notifications of \(name)"
        switch settings.triggers {
        case .unknown(let reason):
            return .untold(name, reason, needs: "s3:GetBucketNotification")
        case .told(let triggers):
            let told = triggers.filter(\.onRemoval).map(\.target)
            guard !told.isEmpty else {
                return IncidentAnswer(
                    name, .no,
                    "none of removals, which is no fault: EventBridge with an archive would tell "
                        + "the second of each, and no person")
            }
            let targets = Self.shown(told.joined(separator: ", "))
            return IncidentAnswer(
                name, .yes,
                "removals are told to \(targets): the past can be told as far as somebody keeps "
                    + "that")
        }
    }
}
