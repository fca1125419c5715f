import MooringDecisions
import MooringModel
import Testing

@Suite("Removing an orphan, event by event")
struct OrphanRemovalTests {
    private typealias Event = ObjectAnswer
    private typealias Action = OrphanRemoval.Move

    private static let version = Sample.version()
    private static let other = Sample.version(etag: "another")

    private func machine(deletes: Bool) -> OrphanRemoval {
        deletes
            ? OrphanRemoval(expected: Self.version, deleting: Sample.irreversible)
            : OrphanRemoval(expected: Self.version, proof: Sample.reversible)
    }

    private func walks(deletes: Bool) -> [Walk<OrphanRemoval>] {
        machine(deletes: deletes).walks()
    }

    private static let quarantine = Action.act(.quarantine(Sample.reversible))
    private static let remove = Action.act(.remove(Sample.irreversible))
    /// What must be known before the object is moved.
    private static let preconditions: [[Event]] = [
        [.owners(.unreferenced)], [.head(.present(version))],
    ]
    /// How a move tells that it was carried out, at once or by a look.
    private static let moves: [[[Event]]] = [
        [[.moved(.done)]],
        [
            [.failed("time-out")], [.head(.present(version))],
            [.head(.present(other)), .head(.absent)],
        ],
        // Where a move is a copy, it is found as another version.
        [
            [.failed("time-out")], [.head(.present(other))],
            [.head(.present(other)), .head(.absent)],
        ],
    ]

    private func restores(_ action: Action) -> Bool {
        if case .act(.restore) = action { return true }
        return false
    }

    @Test("what was listed without an id is moved as what a look found of it, and no other")
    func listed() {
        let listed = Self.version.withoutID
        func found(_ id: String) -> ObjectVersion {
            ObjectVersion(
                size: listed.size, etag: listed.etag, lastModified: listed.lastModified,
                versionID: id)
        }
        func next(_ expected: ObjectVersion, _ found: ObjectVersion) -> Action {
            var machine = OrphanRemoval(expected: expected, proof: Sample.reversible)
            _ = machine.handle(.owners(.unreferenced))
            return machine.handle(.head(.present(found)))
        }
        #expect(next(listed, found("v1")) == Self.quarantine)
        #expect(next(found("v1"), found("v1")) == Self.quarantine)
        #expect(next(found("v1"), found("v2")) != Self.quarantine)
        #expect(next(listed, Self.other) != Self.quarantine)
        // Copied, and not yet deleted: what is at its key is still the one that was meant.
        var machine = OrphanRemoval(expected: listed, proof: Sample.reversible).resume()
        _ = machine.handle(.head(.present(Self.other)))
        #expect(machine.handle(.head(.present(found("v1")))) == .ask(.readOwners))
        #expect(!machine.mayBeginAgain)
    }

    @Test("it always ends, within eight events", arguments: [false, true])
    func ends(deletes: Bool) {
        let walks = walks(deletes: deletes)
        #expect(walks.count > 20)
        #expect(walks.map(\.events.count).max() == 8)
        // Behind a crash it may begin again once.
        let resumed = machine(deletes: deletes).resume().walks()
        #expect(resumed.map(\.events.count).max() == (deletes ? 2 : 2 + 8))
    }

    @Test(
        "it quarantines only what no owner references and what is the expected version, once",
        arguments: [false, true])
    func quarantine(deletes: Bool) throws {
        var count = 0
        for walk in walks(deletes: deletes) {
            guard let before = walk.before({ $0 == Self.quarantine }) else { continue }
            #expect(before == Self.preconditions)
            #expect(walk.actions.count { $0 == Self.quarantine } == 1)
            count += 1
        }
        #expect(count > 10)
    }

    @Test("behind a crash, what lies in both places is moved again, from the first precondition")
    func resumedCopy() {
        var count = 0
        for walk in machine(deletes: false).resume().walks() {
            guard let before = walk.before({ $0 == Self.quarantine }) else { continue }
            #expect(before.count == 4)
            #expect(before[1] == [.head(.present(Self.version))])
            #expect(Array(before[2...]) == Self.preconditions)
            #expect(walk.actions.count { $0 == Self.quarantine } == 1)
            count += 1
        }
        #expect(count > 10)
        let deletion = machine(deletes: true).resume().walks()
        #expect(deletion.allSatisfy { !$0.actions.contains(Self.quarantine) })
    }

    @Test("it removes for good only after the owners were read twice, and only for delete")
    func remove() {
        #expect(!walks(deletes: false).contains { $0.actions.contains(Self.remove) })
        var ways: Set<[[Event]]> = []
        for walk in walks(deletes: true) {
            guard let before = walk.before({ $0 == Self.remove }) else { continue }
            ways.insert(before)
            #expect(!walk.actions.contains(where: restores))
        }
        #expect(
            ways
                == Set(
                    Self.moves.map { Self.preconditions + $0 + [[.owners(.unreferenced)]] }))
        for deletes in [false, true] {
            let resumed = machine(deletes: deletes).resume().walks()
            #expect(resumed.allSatisfy { !$0.actions.contains(Self.remove) })
        }
    }

    @Test(
        "behind the quarantine, everything but a clear answer restores", arguments: [false, true])
    func restore(deletes: Bool) {
        var restored = 0
        for walk in walks(deletes: deletes) {
            // The second read of the owners comes behind the move.
            guard
                let again = walk.actions.indices.first(where: {
                    $0 > 1 && walk.actions[$0] == .ask(.readOwners)
                })
            else {
                #expect(!walk.actions.contains(where: restores))
                continue
            }
            if walk.events[again] == [.owners(.unreferenced)] {
                #expect(!walk.actions.contains(where: restores))
            } else {
                #expect(!walk.events[again].contains(.owners(.unreferenced)))
                // What was found in quarantine goes back, as it was found.
                let isOther = walk.events[..<again].contains([.head(.present(Self.other))])
                #expect(
                    walk.actions[again + 1] == .act(.restore(isOther ? Self.other : Self.version)))
                restored += 1
            }
        }
        #expect(restored > 10)
    }

    @Test("done is reached by the whole protocol only", arguments: [false, true])
    func done(deletes: Bool) {
        let owners: [[Event]] = [[.owners(.unreferenced)]]
        let removals: [[[Event]]] =
            deletes ? [[[.moved(.done)]], [[.failed("time-out")], [.head(.absent)]]] : [[]]
        var expected: Set<[[Event]]> = []
        for move in Self.moves {
            for removal in removals {
                expected.insert(Self.preconditions + move + owners + removal)
            }
        }
        let done = walks(deletes: deletes).filter { $0.end == .end(.finish(.done, reason: nil)) }
        #expect(Set(done.map(\.events)) == expected)
    }

    @Test("a restored object is told as put back, one that stays in quarantine is named")
    func outcomes() throws {
        for walk in walks(deletes: false) where walk.actions.contains(where: restores) {
            switch (walk.end, walk.events[walk.events.count - 1]) {
            case (.end(.finish(.putBack, let reason)), let last):
                #expect(last == [.moved(.done)] || last == [.head(.absent)])
                #expect(reason?.isEmpty == false)
            case (.end(.finish(.failed, let reason)), let last):
                #expect(last == [.moved(.stale("why"))])
                #expect(reason?.contains("stays in quarantine") == true)
            case (.end(.leaveOpen(let reason)), _): #expect(!reason.isEmpty)
            case (let end, let last): Issue.record("\(end) after \(last)")
            }
        }
    }

    @Test(
        "an intent stays open exactly where nobody knows what was done", arguments: [false, true])
    func leaveOpen(deletes: Bool) {
        var open = 0
        for walk in walks(deletes: deletes) {
            let last = walk.events[walk.events.count - 1]
            let isOpen: Bool
            switch walk.lastAsked {
            case .act:
                isOpen = !last.contains { Self.answers($0, to: walk.lastAsked) }
            case .ask(.headQuarantined):
                // An object that could not be put back is tried again.
                let isHeld = last.contains(.head(.present(Self.version)))
                let isGone = last.contains(.head(.absent))
                isOpen = !isGone && !(isHeld && !walk.actions.contains(where: restores))
            case .ask(.head) where walk.events.count > 2:
                // A copy whose original is still there, or may be.
                isOpen = !last.contains(.head(.absent))
            default: isOpen = false
            }
            if case .end(.leaveOpen(let reason)) = walk.end {
                #expect(isOpen && !reason.isEmpty, "\(walk)")
                open += 1
            } else {
                #expect(!isOpen, "\(walk)")
            }
        }
        #expect(open >= 4)
    }

    private static func answers(_ event: Event, to action: Action) -> Bool {
        switch (event, action) {
        case (.moved, .act), (.failed, _): true
        default: false
        }
    }

    @Test("a precondition that does not hold changes nothing and is stale")
    func stale() {
        for event in [Event.head(.absent), .head(.present(Self.other))] {
            var machine = machine(deletes: true)
            _ = machine.handle(.owners(.unreferenced))
            guard case .end(.finish(.stale, _)) = machine.handle(event) else {
                Issue.record("\(event) did not end the step")
                continue
            }
            #expect(machine.position == .finished)
            #expect(
                machine.handle(.moved(.done))
                    == .end(.finish(.failed, reason: "the step had ended")))
        }
    }

    @Test("behind a crash, an object in quarantine has its owners read again, as it lies there")
    func resumedQuarantine() {
        var machine = machine(deletes: false).resume()
        #expect(machine.start == .ask(.headQuarantined))
        #expect(machine.handle(.head(.present(Self.other))) == .ask(.head))
        #expect(machine.handle(.head(.absent)) == .ask(.readOwners))
        var kept = machine
        #expect(kept.handle(.owners(.unreferenced)) == .end(.finish(.done, reason: nil)))
        for doubt in [Event.owners(.referenced), .owners(.unknown("why")), .failed("why")] {
            var copy = machine
            #expect(copy.handle(doubt) == .act(.restore(Self.other)))
            guard case .end(.finish(.putBack, _)) = copy.handle(.moved(.done)) else {
                Issue.record("it was put back")
                continue
            }
        }
    }

    @Test("behind a crash, an object that lies nowhere in quarantine was not moved")
    func resumedBeforeMove() {
        var machine = machine(deletes: false).resume()
        #expect(
            machine.handle(.head(.absent))
                == .end(.finish(.stale, reason: "interrupted before the move")))
    }

    @Test("behind a crash, a deletion only finds out where the object is")
    func resumedDeletion() {
        for (place, ends) in [
            (Event.head(.present(Self.version)), StepOutcome.stale), (.head(.absent), .done),
        ] {
            var machine = machine(deletes: true).resume()
            #expect(machine.handle(.head(.absent)) == .ask(.head))
            guard case .end(.finish(ends, _)) = machine.handle(place) else {
                Issue.record("\(place) must end as \(ends)")
                continue
            }
        }
        var held = machine(deletes: true).resume()
        guard case .end(.finish(.failed, let reason)) = held.handle(.head(.present(Self.version)))
        else {
            Issue.record("it lies in quarantine")
            return
        }
        #expect(reason?.contains("stays in quarantine") == true)
    }

    @Test("behind a crash, without a clear look the intent stays open", arguments: [false, true])
    func resumedUnknown(deletes: Bool) {
        for event in [Event.head(.unknown("why")), .failed("why")] {
            var machine = machine(deletes: deletes).resume()
            guard case .end(.leaveOpen(let reason)) = machine.handle(event) else {
                Issue.record("\(event) tells nothing")
                continue
            }
            #expect(reason.contains("why"))
            guard deletes else { continue }
            var second = self.machine(deletes: true).resume()
            _ = second.handle(.head(.absent))
            guard case .end(.leaveOpen) = second.handle(event) else {
                Issue.record("\(event) tells nothing")
                continue
            }
        }
    }
}
