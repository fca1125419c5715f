import MooringDecisions
import MooringModel
import Testing

@Suite("Writing a record because of something else, event by event")
struct SandwichWriteTests {
    private typealias Event = SandwichWrite.Answer
    private typealias Action = SandwichWrite.Move

    private static let machine = SandwichWrite(proof: Sample.reversible)
    private static let walks = machine.walks()
    private static let resumed = machine.resume().walks()
    private static let write = Action.act(.write(Sample.reversible))

    // What says that the key is out of the record.
    private static let written: [[Event]] = [
        [.written(.written)], [.fate(.written)], [.fate(.rewritten)],
    ]

    private static func sandwich(_ token: String) -> [[Event]] {
        [[.record(.held(token: token))], [.look(.asJudged)], [.record(.held(token: token))]]
    }

    /// The machine behind its write.
    private func written() -> SandwichWrite {
        var machine = Self.machine
        for events in Self.sandwich("a") { _ = machine.handle(events[0]) }
        return machine
    }

    /// The machine whose write got no answer.
    private func lost() -> SandwichWrite {
        var machine = written()
        #expect(machine.handle(.failed("time-out")) == .ask(.findWrite))
        return machine
    }

    @Test("it always ends, within eleven events")
    func ends() {
        #expect(Self.walks.count > 100)
        #expect(Self.walks.map(\.events.count).max() == 11)
        #expect(Self.resumed.map(\.events.count).max() == 7)
    }

    @Test("it writes only behind held, absent, held with the same token, and once")
    func write() {
        var tokens: Set<[[Event]]> = []
        for walk in Self.walks {
            #expect(walk.actions.count { $0 == Self.write } <= 1)
            guard let before = walk.before({ $0 == Self.write }) else { continue }
            tokens.insert(before)
        }
        #expect(tokens == [Self.sandwich("a"), Self.sandwich("b")])
    }

    @Test("taken up again it never writes, and reads what became of the write first")
    func resume() {
        #expect(Self.machine.resume().start == .ask(.findWrite))
        for walk in Self.resumed {
            #expect(!walk.actions.contains(Self.write) && !walk.actions.contains(.ask(.readRecord)))
        }
    }

    @Test("behind the write, everything but absence puts the reference back")
    func putBack() {
        var putBack = 0
        for walk in Self.walks + Self.resumed {
            for place in walk.events.indices {
                // The last look at the object comes behind a write that was carried out.
                guard place > 0, walk.actions[place] == .ask(.look),
                    Self.written.contains(walk.events[place - 1])
                else { continue }
                if walk.events[place] == [.look(.asJudged)] {
                    let isOurs = walk.events[place - 1] != [.fate(.rewritten)]
                    #expect((walk.end == .end(.finish(.done, reason: nil))) == isOurs)
                } else {
                    #expect(walk.actions[place + 1] == .act(.putBack))
                    putBack += 1
                }
            }
        }
        #expect(putBack > 20)
    }

    @Test("a reference is put back only behind a write that was carried out")
    func onlyPutBack() {
        for walk in Self.walks + Self.resumed {
            guard let before = walk.before({ $0 == .act(.putBack) }) else { continue }
            #expect(before.contains(where: Self.written.contains))
            #expect(before.last?.contains(.look(.asJudged)) == false)
        }
    }

    @Test("a write without an answer that was carried out is finished like any other")
    func lostAnswer() {
        var machine = lost()
        #expect(machine.handle(.fate(.written)) == .ask(.look))
        #expect(machine.position == .lookingAgain)
        var absent = machine
        #expect(absent.handle(.look(.asJudged)) == .end(.finish(.done, reason: nil)))
        #expect(machine.handle(.look(.otherwise("why"))) == .act(.putBack))
    }

    @Test("a write without an answer that may still come is fenced off")
    func fence() throws {
        for event in [Event.fence(.fenced), .fence(.outlived)] {
            var machine = lost()
            #expect(machine.handle(.fate(.pending)) == .act(.fence))
            guard case .end(.finish(.stale, let reason)) = machine.handle(event) else {
                Issue.record("\(event) must end as stale")
                continue
            }
            #expect(reason?.contains("time-out") == true)
        }
        var open = lost()
        #expect(open.handle(.fate(.pending)) == .act(.fence))
        guard case .end(.leaveOpen(let reason)) = open.handle(.fence(.impossible)) else {
            Issue.record("what cannot be fenced off may come")
            return
        }
        #expect(reason.contains("time-out"))
        for walk in Self.walks + Self.resumed {
            for place in walk.actions.indices where walk.actions[place] == .act(.fence) {
                #expect(walk.events[place - 1] == [.fate(.pending)])
            }
        }
    }

    @Test("a fence that came too late has the write found out again, a few times")
    func lateFence() {
        var machine = lost()
        for _ in 1..<SandwichWrite.attempts {
            #expect(machine.handle(.fate(.pending)) == .act(.fence))
            #expect(machine.handle(.fence(.stale)) == .ask(.findWrite))
        }
        var carriedOut = machine
        #expect(carriedOut.handle(.fate(.written)) == .ask(.look))
        #expect(machine.handle(.fate(.pending)) == .act(.fence))
        #expect(machine.handle(.fence(.stale)) == .end(.leaveOpen(reason: "time-out")))
    }

    @Test("a record that somebody else wrote cannot be written late, and is stale")
    func overtaken() {
        for start in [lost(), Self.machine.resume()] {
            var machine = start
            guard case .end(.finish(.stale, let reason)) = machine.handle(.fate(.overtaken)) else {
                Issue.record("it must be stale")
                return
            }
            #expect(reason?.contains("somebody else") == true)
        }
    }

    @Test("a record that somebody else wrote and that lacks the key gets it back")
    func rewritten() {
        for start in [lost(), Self.machine.resume()] {
            var machine = start
            #expect(machine.handle(.fate(.rewritten)) == .ask(.look))
            #expect(machine.position == .lookingAgain)
            var absent = machine
            guard case .end(.finish(.stale, let reason)) = absent.handle(.look(.asJudged)) else {
                Issue.record("who took the key out is not known, so that it is not done")
                continue
            }
            #expect(reason?.contains("somebody else") == true)
            #expect(reason?.contains(start == lost() ? "time-out" : "interrupted") == true)
            for event in [Event.look(.otherwise("why")), .look(.unknown("why"))] {
                var present = machine
                #expect(present.handle(event) == .act(.putBack))
                guard case .end(.finish(.putBack, _)) = present.handle(.written(.written)) else {
                    Issue.record("the reference is there again")
                    continue
                }
            }
        }
    }

    @Test("a write that the store refused is a failure, and nothing is fenced off")
    func refused() {
        var machine = written()
        #expect(machine.handle(.refused("NOT NULL")) == .end(.finish(.failed, reason: "NOT NULL")))
    }

    @Test("an intent stays open exactly where nobody knows what was done")
    func leaveOpen() {
        var open: Set<Action> = []
        for walk in Self.walks + Self.resumed {
            let last = walk.events[walk.events.count - 1]
            let isOpen: Bool
            switch walk.lastAsked {
            case Self.write: isOpen = !last.contains(where: Self.answersWrite)
            case .ask(.findWrite): isOpen = last.contains(.fate(.unknown("why")))
            case .act(.fence):
                isOpen = !last.contains(.fence(.fenced)) && last != [.fence(.outlived)]
            case .act(.putBack): isOpen = !last.contains(where: Self.answersPutBack)
            default: isOpen = false
            }
            if case .end(.leaveOpen(let reason)) = walk.end {
                #expect(isOpen && !reason.isEmpty, "\(walk)")
                open.insert(walk.lastAsked)
            } else {
                #expect(!isOpen, "\(walk)")
            }
        }
        #expect(open == [Self.write, .ask(.findWrite), .act(.fence), .act(.putBack)])
    }

    private static func answersWrite(_ event: Event) -> Bool {
        switch event {
        case .written, .refused, .failed: true
        default: false
        }
    }

    private static func answersPutBack(_ event: Event) -> Bool {
        if case .written = event { return true }
        return false
    }

    @Test("putting back is tried again while the store fails, and then left to the next run")
    func putBackAgain() {
        var machine = Self.machine.resume()
        #expect(machine.handle(.fate(.written)) == .ask(.look))
        #expect(machine.handle(.look(.otherwise("why"))) == .act(.putBack))
        for _ in 1..<SandwichWrite.attempts {
            #expect(machine.handle(.failed("busy")) == .act(.putBack))
        }
        guard case .end(.leaveOpen(let reason)) = machine.handle(.failed("busy")) else {
            Issue.record("it does not end")
            return
        }
        #expect(reason.contains("could not be put back"))
    }

    @Test("done is reached by the whole protocol only")
    func done() {
        func isDone(_ walk: Walk<SandwichWrite>) -> Bool {
            walk.end == .end(.finish(.done, reason: nil))
        }
        let lateFences: [[[Event]]] = (0..<SandwichWrite.attempts).map { count in
            Array(
                repeating: [[Event.fate(.pending)], [.fence(.stale)]], count: count
            ).flatMap { $0 }
        }
        let found: [[[Event]]] = lateFences.map { $0 + [[.fate(.written)], [.look(.asJudged)]] }
        let ends: [[[Event]]] =
            [[[.written(.written)], [.look(.asJudged)]]]
            + found.map { [[.failed("time-out")]] + $0 }
        let expected = ["a", "b"].flatMap { token in ends.map { Self.sandwich(token) + $0 } }
        #expect(Set(Self.walks.filter(isDone).map(\.events)) == Set(expected))
        #expect(Set(Self.resumed.filter(isDone).map(\.events)) == Set(found))
    }

    @Test("a removal looks once, behind the sandwich, and never puts back")
    func removal() {
        let machine = SandwichWrite(removing: Sample.irreversible)
        for walk in machine.walks() + machine.resume().walks() {
            #expect(!walk.actions.contains(.act(.putBack)))
            #expect(walk.actions.count { $0 == .ask(.look) } <= 1)
            guard let before = walk.before({ $0 == Self.write }) else { continue }
            #expect([Self.sandwich("a"), Self.sandwich("b")].contains(before))
        }
        let done = machine.resume().walks().filter { $0.end == .end(.finish(.done, reason: nil)) }
        #expect(done.contains { $0.events == [[.fate(.written)]] })
        #expect(done.allSatisfy { $0.events.last == [.fate(.written)] })
    }

    @Test("an object that is there, or a record that changed, is stale and nothing is written")
    func stale() {
        for walk in Self.walks where walk.before({ $0 == Self.write }) == nil {
            #expect(
                !walk.actions.contains {
                    [.act(.putBack), .act(.fence), .ask(.findWrite)].contains($0)
                })
        }
        for (events, isThere) in [
            ([.record(.held(token: "a")), .look(.otherwise("why"))], true),
            ([.record(.held(token: "a")), .look(.asJudged), .record(.held(token: "b"))], false),
        ] as [([Event], Bool)] {
            var machine = Self.machine
            var action = machine.start
            for event in events { action = machine.handle(event) }
            guard case .end(.finish(.stale, _)) = action else {
                Issue.record("it must be stale; the object is there: \(isThere)")
                continue
            }
            #expect(
                machine.handle(.failed("x")) == .end(.finish(.failed, reason: "the step had ended"))
            )
        }
    }
}
