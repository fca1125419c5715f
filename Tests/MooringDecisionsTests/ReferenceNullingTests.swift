import MooringDecisions
import MooringModel
import Testing

@Suite("Nulling a dangling reference, event by event")
struct ReferenceNullingTests {
    private typealias Event = ReferenceNulling.Event
    private typealias Action = ReferenceNulling.Action

    private static let events: [ReferenceNulling.Event] = [
        .record(.held(token: "a")), .record(.held(token: "b")), .record(.released("why")),
        .record(.unknown("why")), .head(.present(Sample.version())), .head(.absent),
        .head(.unknown("why")), .written(.written), .written(.stale("why")), .failed("why"),
    ]
    private static let sandwich: [ReferenceNulling.Event] = [
        .record(.held(token: "a")), .head(.absent), .record(.held(token: "a")),
    ]

    private func walks(
        _ machine: ReferenceNulling
    ) -> [(events: [ReferenceNulling.Event], actions: [ReferenceNulling.Action])] {
        var ended: [([Event], [Action])] = []
        func walk(_ machine: ReferenceNulling, _ events: [Event], _ actions: [Action]) {
            if case .finish = actions.last { return ended.append((events, actions)) }
            guard events.count < 10 else {
                Issue.record("it does not end: \(events)")
                return
            }
            for event in Self.events {
                var copy = machine
                let action = copy.handle(event)
                walk(copy, events + [event], actions + [action])
            }
        }
        walk(machine, [], [machine.start])
        return ended
    }

    @Test("it always ends, within eight events")
    func ends() {
        let walks = walks(ReferenceNulling())
        #expect(walks.count > 1_000)
        #expect(walks.allSatisfy { $0.events.count <= 8 })
    }

    @Test("it writes only behind held, absent, held with the same token")
    func write() {
        for (events, actions) in walks(ReferenceNulling()) {
            #expect(actions.filter { $0 == .write }.count <= 1)
            guard let place = actions.firstIndex(of: .write) else { continue }
            let before = Array(events[..<place])
            #expect(
                before == Self.sandwich
                    || before == [
                        .record(.held(token: "b")), .head(.absent), .record(.held(token: "b")),
                    ])
        }
    }

    @Test("behind the write, everything but absence puts the reference back")
    func putBack() {
        var putBack = 0
        for (events, actions) in walks(ReferenceNulling())
        where events.count >= 5 && actions[3] == .write && events[3] == .written(.written) {
            #expect(actions[4] == .head)
            if events[4] == .head(.absent) {
                #expect(actions[5] == .finish(.done, reason: nil))
            } else {
                #expect(actions[5] == .putBack)
                putBack += 1
            }
        }
        #expect(putBack > 100)
    }

    @Test("a write without an answer may have been carried out: it is taken back")
    func unknownWrite() {
        var machine = ReferenceNulling()
        for event in Self.sandwich { _ = machine.handle(event) }
        #expect(machine.handle(.failed("time-out")) == .putBack)
        var written = machine
        guard case .finish(.putBack, _) = written.handle(.written(.written)) else {
            Issue.record("it was written, and must be told as put back")
            return
        }
        #expect(
            machine.handle(.written(.stale("never written")))
                == .finish(.failed, reason: "time-out"))
    }

    @Test("putting back is tried again while the store fails, and then told")
    func putBackAgain() {
        var machine = ReferenceNulling.resumeAfterWrite()
        #expect(machine.start == .head)
        #expect(machine.handle(.head(.present(Sample.version()))) == .putBack)
        for _ in 1..<ReferenceNulling.putBackAttempts {
            #expect(machine.handle(.failed("busy")) == .putBack)
        }
        guard case .finish(.failed, let reason) = machine.handle(.failed("busy")) else {
            Issue.record("it does not end")
            return
        }
        #expect(reason?.contains("could not be put back") == true)
    }

    @Test("done is reached by the whole protocol only")
    func done() {
        let done = walks(ReferenceNulling()).filter {
            $0.actions.last == .finish(.done, reason: nil)
        }.map(\.events)
        #expect(done.count == 2)
        #expect(done.contains(Self.sandwich + [.written(.written), .head(.absent)]))
        let resumed = walks(.resumeAfterWrite()).filter {
            $0.actions.last == .finish(.done, reason: nil)
        }
        #expect(resumed.map(\.events) == [[.head(.absent)]])
    }

    @Test("an object that is there, or a record that changed, is stale and nothing is written")
    func stale() {
        let walks = walks(ReferenceNulling())
        for (events, actions) in walks where events.contains(.head(.present(Sample.version()))) {
            guard actions.firstIndex(of: .write) == nil else { continue }
            #expect(!actions.contains(.putBack))
        }
        var machine = ReferenceNulling()
        _ = machine.handle(.record(.held(token: "a")))
        _ = machine.handle(.head(.absent))
        guard case .finish(.stale, _) = machine.handle(.record(.held(token: "b"))) else {
            Issue.record("another row version must be stale")
            return
        }
    }
}
