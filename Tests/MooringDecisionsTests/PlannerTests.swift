import MooringDecisions
import MooringModel
import Testing

@Suite("Plan steps")
struct PlannerTests {
    private func ready(_ change: (inout Finding) -> Void = { _ in }) -> Finding {
        var finding = Sample.finding()
        finding.action = .quarantine
        finding.owners = [Sample.identity("o1"), Sample.identity("o2")]
        change(&finding)
        return finding
    }

    @Test("a settled finding whose action has its proof becomes a step")
    func step() throws {
        let finding = ready()
        let step = try #require(Planner.step(for: finding, quarantinedBy: nil))
        #expect(step.strategy == .quarantine)
        #expect(step.finding == finding.id)
        #expect(step.bucket == "media" && step.key == finding.key)
        #expect(step.precondition.object == finding.object)
        #expect(step.precondition.owners == finding.owners)
        #expect(step.precondition.value == nil)
        #expect(step.isIntact)
    }

    @Test("a step that nulls holds the value, the version and no owners")
    func nullify() throws {
        let finding = ready {
            $0.kind = .dangling
            $0.cause = .missing
            $0.action = .nullify
            $0.object = nil
            $0.value = [1, 2]
        }
        let step = try #require(Planner.step(for: finding, quarantinedBy: nil))
        #expect(step.precondition.value == [1, 2])
        #expect(step.precondition.recordVersion == 3)
        #expect(step.precondition.owners.isEmpty)
    }

    @Test("nothing is planned that is not settled, not proven, not placed or not executable")
    func nothing() {
        let findings = [
            ready { $0.verdict = .undecided }, ready { $0.verdict = .explained },
            ready { $0.needs = ProofNeed(proof: "second sighting", after: nil) },
            ready { $0.bucket = nil }, ready { $0.key = nil }, ready { $0.action = nil },
        ]
        for finding in findings {
            #expect(!Planner.acts(on: finding))
            #expect(Planner.step(for: finding, quarantinedBy: nil) == nil)
        }
        for strategy in Strategy.allCases where !Planner.executable.contains(strategy) {
            #expect(Planner.step(for: ready { $0.action = strategy }, quarantinedBy: nil) == nil)
        }
        #expect(!Planner.executable.contains(.keep))
    }

    @Test("only what gives an object back from quarantine names the run that it lies under")
    func namesQuarantine() throws {
        let run = RunID(startingAt: now)
        for strategy in Strategy.allCases {
            for kind in FindingKind.allCases {
                let finding = ready {
                    ($0.kind, $0.action, $0.cause) = (kind, strategy, nil)
                }
                guard let step = Planner.step(for: finding, quarantinedBy: run) else { continue }
                #expect((step.precondition.quarantinedBy == run) == (strategy == .restore))
                #expect(!step.wouldMixRuns)
            }
        }
        let orphan = try #require(Planner.step(for: ready(), quarantinedBy: run))
        #expect(orphan.strategy == .quarantine && orphan.precondition.quarantinedBy == nil)
        // What a delete marker hides lies in no quarantine, whatever older copy does.
        let hidden = ready {
            ($0.kind, $0.cause, $0.action) = (.dangling, .deleted, .restore)
            $0.basis.marker = "m"
        }
        let restore = try #require(Planner.step(for: hidden, quarantinedBy: run))
        #expect(restore.precondition.quarantinedBy == nil)
    }

    @Test("a quarantine into another run's place has no proof, unless it was begun")
    func mixedRuns() throws {
        var step = try #require(Planner.step(for: ready(), quarantinedBy: nil))
        #expect(ReversibleProof(planned: step) != nil)
        step.precondition.quarantinedBy = RunID(startingAt: now)
        step = step.sealed()
        #expect(step.wouldMixRuns && ReversibleProof(planned: step) == nil)
        #expect(ReversibleProof(begun: step) != nil)
        step.hash = ""
        #expect(ReversibleProof(begun: step) == nil)
    }

    @Test("a step that was changed in any part is not intact")
    func changed() throws {
        let step = try #require(
            Planner.step(for: ready(), quarantinedBy: RunID(startingAt: now)))
        let changes: [(inout PlanStep) -> Void] = [
            { $0.id += "x" }, { $0.strategy = .delete }, { $0.finding = "other" },
            { $0.bucket = "thumbs" }, { $0.key = ObjectKey("media/b.png") },
            { $0.record = nil }, { $0.record?.version = 4 },
            { $0.precondition.object = Sample.version(etag: "f") },
            { $0.precondition.object = nil },
            { $0.precondition.quarantinedBy = RunID(startingAt: now) },
            { $0.precondition.owners.removeLast() },
            { $0.precondition.owners = [] }, { $0.precondition.value = [] },
            { $0.precondition.recordVersion = 9 }, { $0.hash = "" },
        ]
        for (number, change) in changes.enumerated() {
            var copy = step
            change(&copy)
            #expect(!copy.isIntact, "change \(number)")
        }
        #expect(step.isIntact)
    }

    @Test("two keys that show as one text give two hashes")
    func bytes() throws {
        let one = try #require(
            Planner.step(for: ready { $0.key = ObjectKey([0xFF]) }, quarantinedBy: nil))
        let other = try #require(
            Planner.step(for: ready { $0.key = ObjectKey([0xFE]) }, quarantinedBy: nil))
        #expect(one.hash != other.hash)
    }

    @Test("a tag comes off under the finding of its tagging, by an intact step without a proof")
    func untags() throws {
        let tagging = try #require(
            Planner.step(for: ready { $0.action = .tag }, quarantinedBy: nil))
        let step = Planner.untag(tagging)
        #expect(step.strategy == .untag && step.isIntact && step.id != tagging.id)
        #expect(step.finding == tagging.finding && step.key == tagging.key)
        #expect(!Strategy.allCases.contains(.untag) && !Planner.executable.contains(.untag))
    }

    @Test("a record that goes is removed once, and not written beside; restores come first")
    func ordered() {
        func step(_ id: String, _ strategy: Strategy, _ record: String?) -> PlanStep {
            PlanStep(
                id: id, hash: "", strategy: strategy, finding: id, bucket: nil, key: nil,
                record: record.map {
                    RecordPlace(
                        identity: RecordIdentity(source: "app", model: "M", id: RecordID($0)))
                }, precondition: Precondition())
        }
        let steps = [
            step("a", .nullify, "x"), step("b", .deleteRecord, "x"),
            step("c", .deleteRecord, "x"), step("d", .nullify, "y"),
            step("e", .quarantine, "x"), step("f", .restore, "x"),
            step("g", .untag, "x"),
        ]
        #expect(Planner.ordered(steps).map(\.id) == ["f", "g", "b", "d", "e"])
    }
}
