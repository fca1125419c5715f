import MooringModel
import Testing

/// The run behind `Reports/Samples`: every kind of finding, two scans that went well, one guard
/// that refuses, and keys that are not nice.
enum SampleRun {
    static let identity = "eu-west-1:6c1d2a0e-3b52-4d0c-9a5d-0f3a8c7e4b11"
    static let start = Instant(seconds: 1_795_226_400)
    static let runID = RunID(startingAt: start + .nanoseconds(123_456_789))

    static var summary: RunSummary {
        var summary = RunSummary(
            id: runID, command: "audit", programVersion: "0.1.0",
            startedAt: start + .nanoseconds(123_456_789), configuration: "sha256:5f2c9e1b")
        summary.finishedAt = start + .seconds(73)
        summary.confirmedAt = start + .seconds(70)
        summary.status = .complete
        let window = ScanWindow(from: start + .seconds(1), to: start + .seconds(31))
        summary.records = [
            .init(
                name: "app", kind: "sqlite", records: 48_213, references: 71_902,
                scan: .init(
                    complete: true, consistency: "snapshot", window: window, requests: 0,
                    problems: [], problemCount: 0)),
            .init(
                name: "phone", kind: "datastore", records: 1_204, references: 1_377,
                scan: .init(
                    complete: true, consistency: "snapshot", window: window, requests: 0,
                    problems: [], problemCount: 0)),
        ]
        summary.buckets = [
            .init(
                name: "media", kind: "directory", objects: 73_418, bytes: 191_304_226_816,
                quarantined: 12, quarantinedBytes: 8_412_160,
                scan: .init(
                    complete: true, consistency: "moving", window: window, requests: 0,
                    problems: [], problemCount: 0))
        ]
        summary.counts = counts(of: findings)
        summary.guards = [
            .init(name: "clockBound", limit: "5m", value: "0s", refused: false),
            .init(
                name: "orphanShare", place: "media", limit: "0.001%", value: "0.004%",
                refused: true,
                hint: "review the orphans; to accept it: mooring plan "
                    + "--accept orphanShare:media=0.01%"),
            .init(
                name: "referenceDrop", place: "app.Song.coverArtKey", limit: "20%", value: "0.1%",
                refused: false),
        ]
        summary.guards[1].number = 0.000_04
        summary.guards[1].cause = "3 of 3 lie under identities that no record knows"
        summary.guards[1].acceptance = "orphanShare:media=0.01%"
        answer(&summary)
        summary.fields = [
            .init(
                source: "app", field: "Song.coverArtKey", records: 48_213, held: 47_020,
                references: 47_020, listed: 47_011, newestChange: start)
        ]
        work(&summary)
        summary.notes = [
            "race.preset is 'standard': devices that stay offline longer than 3d are not covered."
        ]
        return summary
    }

    private static func answer(_ summary: inout RunSummary) {
        summary.gates = [
            .init(
                gate: "dangling.settled == 0", value: 1, passed: false,
                counted: .init(kind: .dangling, verdict: .settled, newOnly: false, bytes: false)),
            .init(
                gate: "orphan.settled.bytes < 1GiB", value: 4_863_265, passed: true,
                counted: .init(kind: .orphan, verdict: .settled, newOnly: false, bytes: true)),
        ]
        summary.change = .init(
            since: RunID(startingAt: start - .days(1)), new: [.orphan: 2, .dangling: 1],
            gone: [.shared: 1])
        summary.lastSuccess = start - .days(1) + .seconds(70)
        summary.peakMemory = 84 << 20
    }

    private static func work(_ summary: inout RunSummary) {
        summary.waiting = [
            waiting(.orphan, .ready, 1),
            waiting(.orphan, .proof, 1, proof: "second sighting", days: 3),
            waiting(.orphan, .explained, 1, days: 1),
            waiting(.orphan, .undecided, 9),
            waiting(.orphan, .policy, 1),
            waiting(.dangling, .proof, 1, proof: "second sighting", days: 1),
            waiting(.dangling, .undecided, 1),
            waiting(.exposed, .hand, 1),
            waiting(.shared, .hand, 1),
        ]
        summary.trend = (0..<12).reversed().compactMap { night in
            var past = RunSummary(
                id: RunID(startingAt: start - .days(Int64(night))), command: "run",
                programVersion: "0.1.0", startedAt: start - .days(Int64(night)),
                configuration: summary.configuration)
            past.finishedAt = past.startedAt + .seconds(70)
            past.counts = summary.counts
            past.counts[.orphan]?.undecided += night * night % 7
            past.counts[.dangling]?.settled += night / 3
            past.counts[.orphan]?.bytes += Int64(night) * 1_048_576
            return RunSummary.Past(past)
        }
    }

    static func waiting(
        _ kind: FindingKind, _ reason: RunSummary.Waiting.Reason, _ findings: Int,
        proof: String? = nil, days: Int64? = nil
    ) -> RunSummary.Waiting {
        var waiting = RunSummary.Waiting(kind: kind, reason: reason, proof: proof)
        waiting.findings = findings
        waiting.bytes = Int64(findings) * 4_096
        waiting.first = days.map { start + .days($0) }
        waiting.last = waiting.first
        return waiting
    }

    /// A step as the journal tells it.
    static func step(
        _ strategy: Strategy, _ key: String, _ outcome: StepOutcome, reason: String? = nil
    ) throws -> RunSummary.EndedStep {
        var entry = JournalEntry(
            run: runID, plan: nil,
            step: PlanStep(
                id: "\(strategy.rawValue)-1", hash: "", strategy: strategy, finding: "f",
                bucket: "media", key: ObjectKey(key), record: nil,
                precondition: Precondition()), intendedAt: start)
        entry.outcome = outcome
        entry.reason = reason
        return try #require(RunSummary.EndedStep(entry))
    }

    static func counts(of findings: [Finding]) -> [FindingKind: RunSummary.Count] {
        var counts: [FindingKind: RunSummary.Count] = [:]
        for finding in findings {
            var count = counts[finding.kind] ?? RunSummary.Count()
            let size = finding.object?.size ?? 0
            switch finding.verdict {
            case .settled:
                count.settled += 1
                count.settledBytes += size
            case .explained: count.explained += 1
            case .undecided: count.undecided += 1
            }
            count.bytes += size
            if finding.runs == 1 { count.new += 1 }
            counts[finding.kind] = count
        }
        return counts
    }

    static var findings: [Finding] {
        (orphans + danglings + others + hostile).sorted(by: Finding.precedes)
    }

    static func place(
        _ model: String, _ id: String, _ field: String? = nil, index: Int? = nil,
        version: Int64? = 3
    ) -> RecordPlace {
        RecordPlace(
            identity: RecordIdentity(source: "app", model: model, id: RecordID(id)), field: field,
            index: index, version: version)
    }

    static func finding(
        _ id: String, _ what: (kind: FindingKind, cause: FindingCause?, verdict: Verdict),
        key: ObjectKey?, size: Int64? = nil
    ) -> Finding {
        var finding = Finding(
            id: id, kind: what.kind, cause: what.cause, verdict: what.verdict)
        finding.bucket = "media"
        finding.key = key
        finding.object = size.map {
            ObjectVersion(
                size: $0, etag: "9e107d9d372bb6826bd81d3542a419d6",
                lastModified: start - .days(9))
        }
        finding.firstSeen = start - .days(2)
        finding.runs = 3
        return finding
    }

    static let song = "0d6f7c52-1f7e-4c8b-a5a6-6f2f2f0f5a10"
    static let album = "b7a4c7c0-51a3-4f0b-8bb2-0c1f7a9d3e42"

    private static var orphans: [Finding] {
        var superseded = finding(
            "orphan-7d3f0a1c", (.orphan, .superseded, .settled),
            key: ObjectKey("private/\(identity)/\(song)-old"), size: 204_817)
        superseded.record = place("Song", song, "coverArtKey", version: 7)
        superseded.evidence = [
            "no record references the key; 49,417 records and every column were searched",
            "the owner app: Song/\(song) holds another key since 2026-11-12T08:14:02Z",
        ]
        superseded.action = .quarantine
        var lost = finding(
            "orphan-91b2c3d4", (.orphan, .lostUpdate, .settled),
            key: ObjectKey("private/\(identity)/\(album)-5a1e"), size: 3_190_442)
        lost.record = place("PhotoAlbum", album, "imageKeys", version: 12)
        lost.evidence = [
            "the owner's list holds 4 siblings; two devices appended within 9s",
            "this key dropped out of the list, and somebody may want it",
        ]
        lost.action = .keep
        var young = finding(
            "orphan-c0ffee01", (.orphan, .unassociated, .explained),
            key: ObjectKey("private/\(identity)/\(song)"), size: 88_120)
        young.record = place("Song", song, "coverArtKey", version: 1)
        young.explanation = Explanation(
            workflow: "create", step: "associate", until: start + .minutes(41))
        young.evidence = ["the object became visible 19m before the listing"]
        young.firstSeen = start
        young.runs = 1
        var unattributed = finding(
            "orphan-d15ea5e0", (.orphan, .unattributed, .settled),
            key: ObjectKey("public/uploads/IMG 2071 (1).jpg"), size: 1_468_006)
        unattributed.evidence = ["no key template fits, so no owner can be asked"]
        unattributed.action = .quarantine
        unattributed.needs = ProofNeed(proof: "second sighting", after: start + .days(3))
        unattributed.runs = 1
        return [superseded, lost, young, unattributed]
    }

    private static var danglings: [Finding] {
        var missing = finding(
            "dangling-31337abc", (.dangling, .missing, .settled),
            key: ObjectKey("private/\(identity)/\(album)-77aa"))
        missing.record = place("PhotoAlbum", album, "imageKeys", index: 2, version: 12)
        missing.value = Array("\(album)-77aa".utf8)
        missing.evidence = [
            "the store answered 404", "the record has held this value since 2026-11-02T19:30:55Z",
        ]
        missing.action = .nullify
        missing.needs = ProofNeed(proof: "second sighting", after: start + .days(1))
        var twin = finding(
            "dangling-7171beef", (.dangling, .twin, .undecided),
            key: ObjectKey("public/Cafe\u{301}.jpg"))
        twin.candidates = [ObjectKey("public/Caf\u{E9}.jpg")]
        twin.record = place("Post", "p-118", "file", version: nil)
        twin.value = Array("Cafe\u{301}.jpg".utf8)
        twin.evidence = ["an object has the same key in Unicode form NFC"]
        twin.action = .keep
        return [missing, twin]
    }

    private static var others: [Finding] {
        var shared = finding(
            "shared-00a1", (.shared, nil, .settled), key: ObjectKey("public/logo.png"), size: 9_114)
        shared.records = (1...23).map { place("Band", "band-\($0)", "logoKey") }
        var invalid = finding("invalid-key-02", (.invalidKey, nil, .settled), key: nil)
        invalid.record = place("Post", "p-119", "file")
        invalid.value = Array("/leading/slash.pdf".utf8)
        var empty = finding(
            "empty-object-03", (.emptyObject, nil, .settled),
            key: ObjectKey("public/empty.mp4"), size: 0)
        empty.record = place("Post", "p-120", "file")
        var exposed = finding(
            "exposed-04", (.exposed, nil, .settled), key: ObjectKey("public/passport.jpg"),
            size: 700_211)
        exposed.record = place("Person", "u-7", "photoKey")
        exposed.evidence = ["visibility is owner, and the object lies under guest"]
        let upload = finding(
            "abandoned-upload-05", (.abandonedUpload, nil, .settled),
            key: ObjectKey("protected/\(identity)/film.mov"))
        var relation = finding(
            "dangling-relation-06", (.danglingRelation, .missingParent, .settled), key: nil)
        relation.bucket = nil
        relation.record = place("Comment", "c-9", "postID")
        relation.value = Array("p-404".utf8)
        var stale = finding("stale-copy-07", (.staleCopy, .behind, .explained), key: nil)
        stale.bucket = nil
        stale.record = RecordPlace(
            identity: RecordIdentity(source: "phone", model: "Song", id: RecordID(song)),
            version: 6)
        stale.action = .requery
        var unmapped = finding(
            "unmapped-reference-08", (.unmappedReference, nil, .undecided), key: nil)
        unmapped.record = RecordPlace(
            identity: RecordIdentity(source: "app", model: "Setting", id: RecordID("s-1")),
            field: "wallpaper")
        unmapped.candidates = [ObjectKey("public/wall.jpg")]
        var mapping = finding("mapping-error-09", (.mappingError, .prefix, .settled), key: nil)
        mapping.evidence = [
            "'cover.jpg' means 'cover.jpg', and 'public/cover.jpg' is there",
            "412 dangling references and 530 orphans are candidates",
            "adding the prefix 'public/' to the values makes 251 of them one, 60.92% of the "
                + "smaller side",
        ]
        return [
            shared, invalid, empty, exposed, upload, relation, stale, unmapped, mapping,
        ]
    }

    /// Keys that would act if a renderer let them.
    static let hostileKeys: [(name: String, bytes: [UInt8])] = [
        ("newline", Array("public/one\ntwo\r\nthree".utf8)),
        ("nul", Array("public/nul\u{0}byte".utf8)),
        ("script", Array("public/<script>alert('1')</script>&\"".utf8)),
        ("formula", Array("=cmd|' /C calc'!A0".utf8)),
        ("invalid", Array("public/".utf8) + [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80]),
        ("long", Array("public/".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 1_017)),
        ("bidi", Array("public/\u{202E}gpj.exe\u{2066}\u{200B}".utf8)),
        ("escape", Array("public/\u{1B}[31mred\u{7}\\x00".utf8)),
        ("traversal", Array("../../etc/passwd".utf8)),
    ]

    private static var hostile: [Finding] {
        hostileKeys.enumerated().map { index, entry in
            var finding = finding(
                "orphan-hostile-\(index)", (.orphan, .ownerless, .undecided),
                key: ObjectKey(entry.bytes), size: 17)
            finding.record = RecordPlace(
                identity: RecordIdentity(
                    source: "app", model: "Post", id: RecordID(entry.bytes.suffix(24))))
            finding.evidence = ["no record has the identifier that the key names (\(entry.name))"]
            return finding
        }
    }

    /// A plan from the run, as `plan.json` holds it.
    static var plan: Plan {
        let steps = findings.filter { $0.verdict == .settled && $0.action == .quarantine }
            .enumerated().compactMap { index, finding -> PlanStep? in
                guard let key = finding.key else { return nil }
                return PlanStep(
                    id: "step-\(index + 1)", hash: String(repeating: "ab", count: 32),
                    strategy: .quarantine, finding: finding.id, bucket: "media", key: key,
                    record: finding.record,
                    precondition: Precondition(
                        object: finding.object,
                        owners: finding.record.map { [$0.identity] } ?? []))
            }
        return Plan(
            id: "plan-\(runID.text)", run: runID, configuration: "sha256:5f2c9e1b",
            createdAt: start + .seconds(80), expiresAt: start + .days(1),
            confirmedAt: start + .seconds(70), accepted: ["orphanShare": "0.01%"], steps: steps)
    }
}
