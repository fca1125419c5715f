import MooringDecisions
import MooringModel

/// A repair machine whose every walk is tried.
protocol WalkedMachine: StepMachine {
    /// Every answer there is, asked for or not.
    static var answers: [Answer] { get }
}

/// One way through a machine, from its first action to its last one.
struct Walk<Machine: WalkedMachine>: Sendable {
    /// What led from each action to the next one: all events that do so in the very same way.
    var events: [[Machine.Answer]] = []
    /// The actions, one more than the events.
    var actions: [Machine.Move]

    /// The action that asked for the last event.
    var lastAsked: Machine.Move { actions[actions.count - 2] }
    var end: Machine.Move { actions[actions.count - 1] }

    /// What came in front of the first action that is one of a kind; nil when none is.
    func before(_ isMeant: (Machine.Move) -> Bool) -> [[Machine.Answer]]? {
        actions.firstIndex(where: isMeant).map { Array(events[..<$0]) }
    }
}

extension WalkedMachine {
    /// Every walk. Events that leave the same machine with the same action have the same future,
    /// so that one of them is followed for all.
    func walks() -> [Walk<Self>] {
        var ended: [Walk<Self>] = []
        func follow(_ machine: Self, _ walk: Walk<Self>) {
            if case .end = walk.end { return ended.append(walk) }
            precondition(walk.events.count < 40, "it does not end: \(walk)")
            var ways: [(machine: Self, action: Move, events: [Answer])] = []
            for event in Self.answers {
                var next = machine
                let action = next.handle(event)
                if let way = ways.firstIndex(where: { $0.machine == next && $0.action == action }) {
                    ways[way].events.append(event)
                } else {
                    ways.append((next, action, [event]))
                }
            }
            for way in ways {
                var longer = walk
                longer.events.append(way.events)
                longer.actions.append(way.action)
                follow(way.machine, longer)
            }
        }
        follow(self, Walk(actions: [start]))
        return ended
    }
}

extension OrphanRemoval: WalkedMachine {
    static let answers: [Answer] = [
        .owners(.unreferenced), .owners(.referenced), .owners(.sourceLives),
        .owners(.unknown("why")),
        .head(.present(Sample.version())), .head(.present(Sample.version(etag: "another"))),
        .head(.absent), .head(.unknown("why")), .moved(.done), .moved(.stale("why")),
        .failed("time-out"),
    ]
}

extension QuarantineMove: WalkedMachine {
    static let answers = OrphanRemoval.answers
}

extension SandwichWrite: WalkedMachine {
    static let answers: [Answer] = [
        .record(.held(token: "a")), .record(.held(token: "b")), .record(.released("why")),
        .record(.unknown("why")), .look(.otherwise("why")), .look(.asJudged),
        .look(.unknown("why")), .written(.written), .written(.stale("why")), .refused("why"),
        .fate(.written), .fate(.pending), .fate(.rewritten), .fate(.overtaken),
        .fate(.unknown("why")), .fence(.fenced), .fence(.stale), .fence(.impossible),
        .fence(.outlived), .failed("time-out"),
    ]
}
