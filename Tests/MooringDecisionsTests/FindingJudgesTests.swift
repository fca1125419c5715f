import MooringDecisions
import MooringModel
import Testing

@Suite("What is said of objects and values that no device explains")
struct FindingJudgesTests {
    private static let place = RecordPlace(identity: Sample.identity(), field: "coverArtKey")

    private func referenced(
        size: Int64 = 3, modified: Duration = .days(9), by count: Int = 1
    ) -> ReferencedFacts {
        let version = ObjectVersion(size: size, etag: "e", lastModified: now - modified)
        return ReferencedFacts(
            bucket: "media", object: ListedObject(key: ObjectKey("k"), version: version),
            places: (0..<count).map {
                RecordPlace(identity: Sample.identity("s\($0)"), field: "coverArtKey")
            })
    }

    @Test("a shared object names every record, and nothing is done about it")
    func shared() {
        let finding = SharedJudge.finding(referenced(by: 3))
        #expect(finding.kind == .shared && finding.verdict == .settled && finding.action == .keep)
        #expect(finding.records.count == 3)
        #expect(finding.evidence == ["3 records reference one object"])
    }

    @Test("an empty object may be written again until U + S + C after it was written")
    func empty() {
        let judge = EmptyObjectJudge(race: Sample.standard, now: now)
        let grace = Sample.standard.grace
        let young = judge.finding(referenced(size: 0, modified: grace - .seconds(1)))
        #expect(young.verdict == .explained && young.explanation?.until == now + .seconds(1))
        let old = judge.finding(referenced(size: 0, modified: grace))
        #expect(old.verdict == .settled && old.explanation == nil && old.action == .keep)
        #expect(old.record?.identity == Sample.identity("s0"))
        #expect(old.evidence == ["it is referenced and zero bytes long"])
    }

    @Test("an exposed object says who can read it, and what its record allows")
    func exposed() {
        let finding = ExposedJudge.finding(referenced(), readers: .anyone, allowed: .owner)
        #expect(finding.kind == .exposed && finding.action == .keep)
        #expect(
            finding.evidence == [
                "its level lets anyone read it", "Song has visibility: owner",
            ])
        let signedIn = ExposedJudge.finding(referenced(), readers: .signedIn, allowed: .owner)
        #expect(signedIn.evidence.first == "its level lets every signed-in user read it")
    }

    @Test("what hides references says that it protects")
    func invalid() {
        func finding(_ hides: Bool) -> Finding {
            InvalidKeyJudge.finding(
                at: Self.place, value: [1], reason: "no list", hidesReferences: hides)
        }
        #expect(finding(false).evidence == ["no list"])
        #expect(
            finding(true).evidence == [
                "no list", "every object whose name stands in it is protected",
            ])
        #expect(finding(true).action == .keep)
        #expect(finding(true).id == finding(false).id)
    }

    @Test("a finding about uploads is about the abandoned ones, where there are some")
    func uploads() throws {
        let judge = UploadJudge(race: Sample.standard, now: now)
        func upload(_ id: String, _ begun: Duration, doubt: String? = nil) -> UploadFacts {
            UploadFacts(
                upload: OpenUpload(key: ObjectKey("k"), id: id, begunAt: now - begun),
                parts: UploadParts(count: 1, bytes: 5, newestAt: nil), doubt: doubt)
        }
        let place = ObjectPlace(bucket: "media", key: ObjectKey("k"))
        #expect(judge.finding([upload("a", .minutes(59))], at: place) == nil)
        let open = try #require(judge.finding([upload("a", .days(1))], at: place))
        #expect(open.finding.verdict == .explained && open.token.isEmpty)
        #expect(open.finding.explanation?.until == now + .days(6))
        let unknown = try #require(
            judge.finding([upload("a", .days(9), doubt: "no answer")], at: place))
        #expect(unknown.finding.verdict == .undecided && unknown.finding.basis.uploads.isEmpty)
        let both = try #require(
            judge.finding([upload("b", .days(1)), upload("a", .days(8))], at: place))
        #expect(both.finding.verdict == .settled && both.token == "a")
        #expect(both.finding.basis.uploads.map(\.id) == ["a"])
        #expect(both.finding.object?.size == 5 && both.finding.evidence.count == 2)
    }

    @Test("an unmapped attribute is told with the line that maps it, or that says what it is")
    func unmapped() {
        func evidence(_ table: String?, isEnd: Bool = false, isMapped: Bool = false) -> [String] {
            UnmappedJudge.finding(
                UnmappedFacts(
                    place: RecordPlace(identity: Sample.identity(model: "Note"), field: "body"),
                    table: table,
                    objects: [
                        (
                            "media",
                            ListedObject(key: ObjectKey("k"), version: Sample.version())
                        )
                    ], isWhole: true, isEnd: isEnd, isMappedField: isMapped)
            ).evidence
        }
        #expect(
            evidence(nil).last
                == "if these are references, add {model: Note, files: [{field: body}]} under "
                + "'models'; if it says what was, or lists the bucket, add to source app: "
                + "notReferences: [Note.body]")
        #expect(evidence("notes").last?.contains("{field: body} under 'files' of Note") == true)
        #expect(evidence("notes").last?.hasSuffix("notReferences: [notes.body]") == true)
        #expect(
            evidence(nil).prefix(2) == [
                "the object is protected", "Note.body is not mapped, and holds the key",
            ])
        let end = evidence(nil, isEnd: true)
        #expect(end[1] == "Note.body is not mapped, and holds the end of the key")
        #expect(end.last?.contains("add a level whose prefix") == true)
        #expect(
            evidence(nil, isMapped: true) == [
                "the object is protected", "Note.body is mapped, but holds the key in another form",
            ])
        for (isMapped, words) in [
            (false, "Note.body is not mapped, and holds the key"),
            (true, "Note.body is mapped, but holds the key in another form"),
        ] {
            let held = QuarantinedObject(
                key: ObjectKey("k"), run: RunID(startingAt: now), version: Sample.version())
            let finding = UnmappedJudge.finding(
                giveBack: held, of: "media",
                at: RecordPlace(identity: Sample.identity(model: "Note"), field: "body"),
                isMappedField: isMapped)
            #expect(finding.evidence.first == words && finding.action == .restore)
        }
    }

    @Test("what lies in quarantine and is needed by another object says by which")
    func held() {
        let object = QuarantinedObject(
            key: ObjectKey("a.jpg"), run: RunID(startingAt: now), version: Sample.version())
        func text(_ need: HeldNeed) -> String? {
            let finding = HeldJudge.finding(
                object, of: "media", neededBy: need, at: Self.place, value: [1])
            #expect(finding.cause == .quarantined && finding.key == object.key)
            return finding.evidence.first
        }
        #expect(text(.derivedFrom(ObjectKey("b")))?.hasPrefix("it is derived from") == true)
        #expect(text(.sourceOf(ObjectKey("b")))?.hasSuffix("is derived from it") == true)
        #expect(text(.linked(ObjectKey("b")))?.hasPrefix("the symbolic link") == true)
    }

    @Test("nothing acts that a finding holds back, and what is given back needs no whole run")
    func withholding() {
        func held(_ action: Strategy, _ change: (inout Finding) -> Void) -> Finding {
            var finding = Finding(id: "f", kind: .dangling, cause: .missing, verdict: .settled)
            finding.action = action
            change(&finding)
            return finding
        }
        #expect(held(.nullify) { $0.require(live: false) }.needs?.proof == "live stores")
        #expect(held(.keep) { $0.require(live: false) }.needs == nil)
        #expect(held(.nullify) { $0.require(writable: false) }.needs != nil)
        let marked = held(.nullify) { $0.mark(incomplete: ["app", "media"]) }
        #expect(marked.needs?.proof == "a complete run")
        #expect(marked.evidence == ["this run is incomplete: app, media"])
        #expect(held(.restore) { $0.mark(incomplete: ["app"]) }.needs == nil)
        for strategy in Strategy.allCases {
            let isHeld = held(strategy) { $0.withholdIrreversible("proof") }.needs != nil
            #expect(isHeld == [.delete, .deleteRecord, .tag].contains(strategy))
        }
        let kept = held(.delete) { $0.keep(because: "no") }
        #expect(kept.action == .keep && kept.evidence == ["no"])
    }
}
