import MooringDecisions
import MooringModel
import Testing

extension ObjectErasure: WalkedMachine {
    static let answers = OrphanRemoval.answers
}

@Suite("Removing an object because a person asked for it, event by event")
struct ObjectErasureTests {
    private typealias Event = ObjectAnswer

    private let scope: ErasureScope
    private let order: ErasureOrder
    private static let run = RunID(startingAt: now)

    private static func step(
        _ strategy: Strategy = .delete, key: String = "private/me/a"
    ) -> PlanStep {
        PlanStep(
            id: "s", hash: "", strategy: strategy, finding: "f", bucket: "media",
            key: ObjectKey(key), record: nil,
            precondition: Precondition(object: Sample.version())
        ).sealed()
    }

    init() throws {
        scope = try ErasureScope(
            .identity([UInt8]("me")), bucket: nil, levels: AccessLevel.amplify, buckets: [])
        order = try #require(ErasureOrder(Self.step(), under: scope))
    }

    private var machines: [ObjectErasure] {
        [
            ObjectErasure(order, expected: Sample.version(), isHeld: false),
            ObjectErasure(order, expected: Sample.version(), isHeld: true),
            .resume(order, expected: Sample.version(), isHeld: false),
            .resume(order, expected: Sample.version(), isHeld: true),
        ]
    }

    @Test("only a step that the request means gives an order")
    func orders() {
        #expect(ErasureOrder(Self.step(.quarantine), under: scope) == nil)
        #expect(ErasureOrder(Self.step(key: "private/you/a"), under: scope) == nil)
        var changed = Self.step()
        changed.key = ObjectKey("private/me/b")
        #expect(ErasureOrder(changed, under: scope) == nil)
    }

    @Test("behind a crash only the intent of an erasing run gives one")
    func resumedOrders() {
        func entry(_ plan: String?, _ step: PlanStep) -> JournalEntry {
            JournalEntry(run: Self.run, plan: plan, step: step, intendedAt: now)
        }
        let own = ErasureOrder.plan(of: Self.run)
        #expect(ErasureOrder(resuming: entry(own, Self.step())) != nil)
        #expect(ErasureOrder(resuming: entry("plan-x", Self.step())) == nil)
        #expect(ErasureOrder(resuming: entry(nil, Self.step())) == nil)
        #expect(ErasureOrder(resuming: entry(own, Self.step(.quarantine))) == nil)
        var changed = Self.step()
        changed.key = ObjectKey("private/you/b")
        #expect(ErasureOrder(resuming: entry(own, changed)) == nil)
    }

    @Test("it always ends, within eight events")
    func ends() {
        for machine in machines {
            #expect(machine.walks().allSatisfy { $0.events.count <= 8 })
        }
    }

    @Test("it says done only where the object was removed, or is nowhere")
    func done() {
        for machine in machines {
            for walk in machine.walks() where walk.end == .end(.finish(.done, reason: nil)) {
                let last = walk.events[walk.events.count - 1]
                #expect(
                    last == [.moved(.done)]
                        && walk.lastAsked == .act(.sweep(order, Sample.version()))
                        || last == [.head(.absent)], "\(walk)")
            }
        }
    }

    @Test("what another version turned out to be goes back, and is never removed")
    func otherVersion() {
        for machine in machines {
            for walk in machine.walks() {
                let sweeps = walk.actions.count { $0 == .act(.sweep(order, Sample.version())) }
                #expect(sweeps <= 1, "\(walk)")
                for (index, action) in walk.actions.enumerated() {
                    guard case .act(.restore(let version)) = action else { continue }
                    #expect(walk.actions[..<index].contains(.act(.sweep(order, Sample.version()))))
                    #expect(walk.events[index - 1] == [.head(.present(version))])
                    #expect(!walk.actions[index...].contains(.act(.sweep(order, Sample.version()))))
                }
            }
        }
    }

    @Test("another version that was moved is found in quarantine, and moved back")
    func movesBack() {
        let other = Sample.version(etag: "another")
        for resumes in [false, true] {
            var machine =
                resumes
                ? ObjectErasure.resume(order, expected: Sample.version(), isHeld: false)
                : ObjectErasure(order, expected: Sample.version(), isHeld: false)
            #expect(
                machine.handle(resumes ? .head(.present(other)) : .moved(.done))
                    == .act(.sweep(order, Sample.version())))
            #expect(machine.handle(.moved(.stale("changed"))) == .ask(.headQuarantined))
            #expect(machine.handle(.head(.present(other))) == .act(.restore(other)))
            #expect(
                machine.handle(.moved(.done))
                    == .end(.finish(.stale, reason: "changed; it was moved back")))
        }
    }

    @Test("what already lies in quarantine is never moved out of it")
    func held() {
        for machine in [
            ObjectErasure(order, expected: Sample.version(), isHeld: true),
            .resume(order, expected: Sample.version(), isHeld: true),
        ] {
            for walk in machine.walks() {
                let moves = walk.actions.contains {
                    if case .act(.restore) = $0 { return true }
                    return $0 == .act(.quarantine(order)) || $0 == .ask(.head)
                }
                #expect(!moves, "\(walk)")
            }
        }
    }

    @Test("an answer that stays out leaves the intent open")
    func doubt() {
        for machine in machines {
            for walk in machine.walks() {
                let last = walk.events[walk.events.count - 1]
                guard last.contains(.head(.unknown("why"))) else { continue }
                guard case .end(.leaveOpen) = walk.end else {
                    Issue.record("\(walk)")
                    continue
                }
            }
        }
    }

    @Test("a crash between the two moves is gone on with")
    func resume() {
        var machine = ObjectErasure.resume(order, expected: Sample.version(), isHeld: false)
        #expect(machine.start == .ask(.headQuarantined))
        #expect(
            machine.handle(.head(.present(Sample.version())))
                == .act(.sweep(order, Sample.version())))
        #expect(machine.handle(.moved(.done)) == .ask(.head))
        #expect(machine.handle(.head(.absent)) == .end(.finish(.done, reason: nil)))
        var early = ObjectErasure.resume(order, expected: Sample.version(), isHeld: false)
        #expect(early.handle(.head(.absent)) == .ask(.head))
        guard case .end(.finish(.stale, _)) = early.handle(.head(.present(Sample.version()))) else {
            Issue.record("an object at its key is not removed")
            return
        }
    }
}
