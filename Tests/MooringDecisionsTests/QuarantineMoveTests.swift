import MooringDecisions
import MooringModel
import Testing

@Suite("Giving an object back from quarantine, or sweeping it, event by event")
struct QuarantineMoveTests {
    private typealias Event = ObjectAnswer

    private static let present: [Event] = [
        .head(.present(Sample.version())), .head(.present(Sample.version(etag: "another"))),
    ]
    private static let sweep = QuarantineMove.Move.act(.sweep(Sample.irreversible))

    private var machines: [QuarantineMove] {
        [.restore(), .sweep(Sample.irreversible), .resume()]
    }

    @Test("it always ends, within three events")
    func ends() {
        for machine in machines {
            #expect(machine.walks().allSatisfy { $0.events.count <= 3 })
        }
    }

    @Test("a restore only restores, once, and reads no owners")
    func restore() {
        let walks = QuarantineMove.restore().walks()
        for walk in walks {
            #expect(walk.actions[0] == .act(.restore))
            #expect(
                walk.actions.dropFirst().allSatisfy {
                    $0 != .act(.restore) && $0 != .ask(.readOwners)
                })
            #expect(!walk.actions.contains(Self.sweep))
        }
        let done = walks.filter { $0.end == .end(.finish(.done, reason: nil)) }.map(\.events)
        #expect(
            Set(done) == [[[.moved(.done)]], [[.failed("time-out")], [.head(.absent)]]])
    }

    @Test("a sweep removes only what no owner references at that moment")
    func sweep() {
        let walks = QuarantineMove.sweep(Sample.irreversible).walks()
        var swept = 0
        for walk in walks {
            #expect(!walk.actions.contains(.act(.restore)))
            guard let before = walk.before({ $0 == Self.sweep }) else { continue }
            #expect(before == [[.owners(.unreferenced)]])
            #expect(walk.actions.count { $0 == Self.sweep } == 1)
            swept += 1
        }
        #expect(swept >= 5)
        let kept = walks.filter { $0.events.first?.contains(.owners(.referenced)) == true }
        let reason = "a record references the object, or could not be read"
        #expect(
            !kept.isEmpty && kept.allSatisfy { $0.end == .end(.finish(.stale, reason: reason)) })
        let done = walks.filter { $0.end == .end(.finish(.done, reason: nil)) }.map(\.events)
        let owners: [[Event]] = [[.owners(.unreferenced)]]
        #expect(
            Set(done) == [
                owners + [[.moved(.done)]], owners + [[.failed("time-out")], [.head(.absent)]],
            ])
    }

    @Test("owners that reference the object, or cannot be read, make a sweep stale")
    func owners() {
        for event in [Event.owners(.referenced), .owners(.unknown("why")), .failed("why")] {
            var machine = QuarantineMove.sweep(Sample.irreversible)
            #expect(machine.start == .ask(.readOwners))
            guard case .end(.finish(.stale, _)) = machine.handle(event) else {
                Issue.record("\(event) must keep the object")
                continue
            }
        }
    }

    @Test("what is taken up after a crash is only found out")
    func resume() {
        let machine = QuarantineMove.resume()
        #expect(machine.start == .ask(.headQuarantined))
        for walk in machine.walks() {
            #expect(walk.actions.count == 2)
            switch walk.end {
            case .end(.finish(.done, nil)): #expect(walk.events == [[.head(.absent)]])
            case .end(.finish(.stale, let reason)):
                #expect(walk.events == [Self.present] && reason?.isEmpty == false)
            case .end(.leaveOpen): break
            default: Issue.record("\(walk)")
            }
        }
    }

    @Test("an intent stays open exactly where nobody knows what was done")
    func leaveOpen() {
        var open = 0
        for walk in machines.flatMap({ $0.walks() }) {
            let last = walk.events[walk.events.count - 1]
            let isOpen: Bool
            switch walk.lastAsked {
            case .act:
                isOpen = !last.contains { [.moved(.done), .moved(.stale("why"))].contains($0) }
            case .ask(.headQuarantined):
                isOpen = last != [.head(.absent)] && last != Self.present
            default: isOpen = false
            }
            if case .end(.leaveOpen(let reason)) = walk.end {
                #expect(isOpen && !reason.isEmpty, "\(walk)")
                open += 1
            } else {
                #expect(!isOpen, "\(walk)")
            }
        }
        #expect(open >= 3)
    }

    @Test("a move that failed and did nothing says why")
    func failed() {
        var machine = QuarantineMove.restore()
        #expect(machine.handle(.failed("time-out")) == .ask(.headQuarantined))
        #expect(machine.position == .finding)
        #expect(
            machine.handle(.head(.present(Sample.version())))
                == .end(.finish(.failed, reason: "time-out")))
        #expect(
            machine.handle(.moved(.done)) == .end(.finish(.failed, reason: "the step had ended")))
        #expect(machine.start == .end(.finish(.failed, reason: "the step had ended")))
    }
}
