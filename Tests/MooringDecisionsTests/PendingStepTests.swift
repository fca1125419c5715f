import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Steps that may still come")
struct PendingStepTests {
    private let shapes: [FieldShape?] = FieldShape.allCases + [nil]

    private func names(_ state: DifferenceState, _ shape: FieldShape?) -> [String] {
        WorkflowCatalogue.pending(in: state, shape: shape).map { "\($0.workflow): \($0.step)" }
    }

    @Test("the workflow that fits a state most closely comes first")
    func closest() {
        let wanted: [(DifferenceState, FieldShape?, String)] = [
            (.ownerHoldsNothing, nil, "create: associate"),
            (.ownerHoldsNothing, .scalar, "create: associate"),
            (.ownerHoldsNothing, .list, "create with files: associate"),
            (.ownerHoldsNothing, .complex, "add or update: associate"),
            (.ownerHoldsAnother, .scalar, "add or update: associate"),
            (.ownerListsOthers, .list, "append to list: associate"),
            (.ownerIsAbsent, .complex, "create with complex object: create record"),
            (.ownerUnknown, nil, "create: associate"),
            (.objectIsAbsent, nil, "delete both, file first: delete record"),
        ]
        for (state, shape, name) in wanted {
            #expect(names(state, shape).first == name, "\(state), \(String(describing: shape))")
        }
    }

    @Test("each step is named once for a state")
    func once() {
        for shape in shapes {
            for state in DifferenceState.allCases {
                let names = names(state, shape)
                #expect(Set(names).count == names.count, "\(names)")
            }
        }
    }

    @Test("what would remove an orphan, or only looks at it, is not waited for")
    func removals() {
        for state in DifferenceState.orphans {
            let workflows = WorkflowCatalogue.pending(in: state).map(\.workflow)
            for name in ["detach and delete", "delete both, record first", "read", "sign-in"] {
                #expect(!workflows.contains(name))
            }
        }
    }

    @Test("no step comes later than the object's birth or the record's change and G")
    func grace() {
        var random = SeededGenerator("PendingStepTests.grace")
        var models = RaceBounds.presets.values.map { RaceModel(bounds: $0) }
        models += RaceBounds.Conflicts.allCases.map {
            RaceModel(bounds: RaceBounds(conflicts: $0), clock: .seconds(3))
        }
        models += (0..<200).map { _ in RaceModel(bounds: random.bounds(), clock: random.time(90)) }
        for race in models {
            for shape in shapes {
                for state in DifferenceState.allCases {
                    let waits = WorkflowCatalogue.pending(in: state, shape: shape)
                        .compactMap { $0.wait(under: race) }
                    #expect(waits.max() == race.grace, "\(state), \(race)")
                }
            }
        }
    }

    @Test("where stores refuse old copies, nothing is written back")
    func optimistic() {
        for state in DifferenceState.orphans {
            let waits = WorkflowCatalogue.pending(in: state).map {
                ($0.workflow, $0.wait(under: Sample.optimistic))
            }
            #expect(waits.contains { $0.0 == "write back" && $0.1 == nil })
            #expect(waits.filter { $0.0 != "write back" }.allSatisfy { $0.1 == .hours(1) })
        }
    }

    @Test("a copy that held the key is written back at the end of U and then S; M counts for none")
    func windows() {
        let race = RaceModel(
            bounds: RaceBounds(multipartWindow: .days(400)), clock: .seconds(5))
        for state in DifferenceState.orphans {
            for step in WorkflowCatalogue.pending(in: state) {
                let isCopy = step.workflow == "write back"
                #expect(step.windows == (isCopy ? [.upload, .stale] : [.upload]))
                #expect(
                    step.wait(under: race)
                        == .hours(1) + .seconds(5) + (isCopy ? .days(3) : .zero))
            }
        }
        let dangling = WorkflowCatalogue.pending(in: .objectIsAbsent)
        #expect(dangling.map(\.windows) == [[.stale, .upload], [.stale]])
    }

    @Test("crash points tell what leaves a state, rivals only where nothing else does")
    func crashPoints() {
        let superseded = WorkflowCatalogue.crashPoints(
            leaving: .ownerHoldsAnother, .superseded, shape: .scalar)
        #expect(
            superseded.first
                == CrashPoint(workflow: "add or update", step: "associate", maker: .itself))
        #expect(
            superseded.contains(
                CrashPoint(workflow: "add or update", step: "upload", maker: .crash)))
        let cleared = WorkflowCatalogue.crashPoints(leaving: .ownerHoldsNothing, .cleared)
        #expect(cleared.map(\.workflow) == ["clear the association", "detach and delete"])
        let lost = WorkflowCatalogue.crashPoints(leaving: .ownerListsOthers, .lostUpdate)
        #expect(lost.map(\.maker) == [.rival])
        #expect(WorkflowCatalogue.crashPoints(leaving: .ownerIsAbsent, .cleared).isEmpty)
    }
}

extension SeededGenerator {
    /// Some time, up to so many seconds, and zero now and then.
    mutating func time(_ seconds: Int) -> Duration {
        number(0...3) == 0 ? .zero : .nanoseconds(Int64(number(0...seconds)) * 1_000_000_007)
    }

    /// Bounds as a configuration may give them.
    mutating func bounds() -> RaceBounds {
        RaceBounds(
            uploadWindow: time(90_000), staleWindow: time(900_000),
            offlineWindow: time(3_000_000), multipartWindow: time(900_000),
            conflicts: one(of: RaceBounds.Conflicts.allCases), relinkPossible: bool())
    }
}
