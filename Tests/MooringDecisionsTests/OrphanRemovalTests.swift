import MooringDecisions
import MooringModel
import Testing

@Suite("Removing an orphan, event by event")
struct OrphanRemovalTests {
    private static let version = Sample.version()
    private static let other = Sample.version(etag: "another")

    private static let events: [OrphanRemoval.Event] = [
        .owners(.unreferenced), .owners(.referenced), .owners(.unknown("why")),
        .head(.present(version)), .head(.present(other)), .head(.absent), .head(.unknown("why")),
        .moved(.done), .moved(.stale("why")), .failed("why"),
    ]

    /// Drives every sequence of events and gives each walk, as far as its end.
    private func walks(
        removesForGood: Bool
    ) -> [(events: [OrphanRemoval.Event], actions: [OrphanRemoval.Action])] {
        var ended: [([OrphanRemoval.Event], [OrphanRemoval.Action])] = []
        func walk(
            _ machine: OrphanRemoval, _ events: [OrphanRemoval.Event],
            _ actions: [OrphanRemoval.Action]
        ) {
            if case .finish = actions.last { return ended.append((events, actions)) }
            guard events.count < 8 else {
                Issue.record("it does not end: \(events)")
                return
            }
            for event in Self.events {
                var copy = machine
                let action = copy.handle(event)
                walk(copy, events + [event], actions + [action])
            }
        }
        let machine = OrphanRemoval(expected: Self.version, removesForGood: removesForGood)
        walk(machine, [], [machine.start])
        return ended
    }

    @Test("it always ends, within five events", arguments: [false, true])
    func ends(removesForGood: Bool) {
        let walks = walks(removesForGood: removesForGood)
        #expect(walks.count > 50)
        #expect(walks.allSatisfy { $0.events.count <= 5 })
    }

    @Test(
        "it quarantines only what no owner references and what is the expected version",
        arguments: [false, true])
    func quarantine(removesForGood: Bool) throws {
        for (events, actions) in walks(removesForGood: removesForGood) {
            guard let place = actions.firstIndex(of: .quarantine) else { continue }
            #expect(
                Array(events[..<place])
                    == [.owners(.unreferenced), .head(.present(Self.version))])
        }
    }

    @Test("it removes for good only after the owners were read twice, and only for delete")
    func remove() {
        #expect(!walks(removesForGood: false).contains { $0.actions.contains(.remove) })
        for (events, actions) in walks(removesForGood: true) {
            guard let place = actions.firstIndex(of: .remove) else { continue }
            #expect(
                Array(events[..<place])
                    == [
                        .owners(.unreferenced), .head(.present(Self.version)), .moved(.done),
                        .owners(.unreferenced),
                    ])
        }
    }

    @Test(
        "behind the quarantine, everything but a clear answer restores", arguments: [false, true])
    func restore(removesForGood: Bool) {
        var restored = 0
        for (events, actions) in walks(removesForGood: removesForGood)
        where events.count >= 4 && events[2] == .moved(.done) && actions[2] == .quarantine {
            if events[3] == .owners(.unreferenced) {
                #expect(!actions.contains(.restore))
            } else {
                #expect(actions[4] == .restore)
                restored += 1
            }
        }
        #expect(restored > 10)
    }

    @Test("done is reached by the whole protocol only", arguments: [false, true])
    func done(removesForGood: Bool) {
        var path: [OrphanRemoval.Event] = [
            .owners(.unreferenced), .head(.present(Self.version)), .moved(.done),
            .owners(.unreferenced),
        ]
        if removesForGood { path.append(.moved(.done)) }
        let done = walks(removesForGood: removesForGood).filter {
            $0.actions.last == .finish(.done, reason: nil)
        }
        #expect(done.map(\.events) == [path])
    }

    @Test("a restored object is told as put back, one that stays in quarantine as failed")
    func outcomes() throws {
        for (events, actions) in walks(removesForGood: false) where actions.contains(.restore) {
            guard case .finish(let outcome, let reason) = try #require(actions.last) else {
                continue
            }
            #expect(outcome == (events.last == .moved(.done) ? .putBack : .failed))
            #expect(try #require(reason).isEmpty == false)
        }
    }

    @Test("a precondition that does not hold changes nothing and is stale")
    func stale() {
        for event in [OrphanRemoval.Event.head(.absent), .head(.present(Self.other))] {
            var machine = OrphanRemoval(expected: Self.version, removesForGood: true)
            _ = machine.handle(.owners(.unreferenced))
            guard case .finish(.stale, _) = machine.handle(event) else {
                Issue.record("\(event) did not end the step")
                continue
            }
            #expect(machine.handle(.moved(.done)) == .finish(.failed, reason: "the step had ended"))
        }
    }
}
