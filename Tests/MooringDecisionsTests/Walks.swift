import MooringDecisions
import MooringModel

/// A repair machine whose every walk is tried.
protocol WalkedMachine: Hashable, Sendable {
    associatedtype Event: Hashable, Sendable
    associatedtype Action: Hashable, Sendable

    /// Every event there is, asked for or not.
    static var events: [Event] { get }
    var start: Action { get }
    mutating func handle(_ event: Event) -> Action
    static func isEnd(_ action: Action) -> Bool
}

/// One way through a machine, from its first action to its last one.
struct Walk<Machine: WalkedMachine>: Sendable {
    /// What led from each action to the next one: all events that do so in the very same way.
    var events: [[Machine.Event]] = []
    /// The actions, one more than the events.
    var actions: [Machine.Action]

    /// The action that asked for the last event.
    var lastAsked: Machine.Action { actions[actions.count - 2] }
    var end: Machine.Action { actions[actions.count - 1] }

    /// What came in front of the first action that is one of a kind; nil when none is.
    func before(_ isMeant: (Machine.Action) -> Bool) -> [[Machine.Event]]? {
        actions.firstIndex(where: isMeant).map { Array(events[..<$0]) }
    }
}

extension WalkedMachine {
    /// Every walk. Events that leave the same machine with the same action have the same future,
    /// so that one of them is followed for all.
    func walks() -> [Walk<Self>] {
        var ended: [Walk<Self>] = []
        func follow(_ machine: Self, _ walk: Walk<Self>) {
            if Self.isEnd(walk.end) { return ended.append(walk) }
            precondition(walk.events.count < 40, "it does not end: \(walk)")
            var ways: [(machine: Self, action: Action, events: [Event])] = []
            for event in Self.events {
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
    static let events: [Event] = [
        .owners(.unreferenced), .owners(.referenced), .owners(.sourceLives),
        .owners(.unknown("why")),
        .head(.present(Sample.version())), .head(.present(Sample.version(etag: "another"))),
        .head(.absent), .head(.unknown("why")), .moved(.done), .moved(.stale("why")),
        .failed("time-out"),
    ]

    static func isEnd(_ action: Action) -> Bool {
        switch action {
        case .finish, .leaveOpen: true
        default: false
        }
    }
}

extension QuarantineMove: WalkedMachine {
    typealias Event = OrphanRemoval.Event

    static let events = OrphanRemoval.events

    static func isEnd(_ action: Action) -> Bool {
        switch action {
        case .finish, .leaveOpen: true
        default: false
        }
    }
}

extension SandwichWrite: WalkedMachine {
    static let events: [Event] = [
        .record(.held(token: "a")), .record(.held(token: "b")), .record(.released("why")),
        .record(.unknown("why")), .look(.otherwise("why")), .look(.asJudged),
        .look(.unknown("why")), .written(.written), .written(.stale("why")), .refused("why"),
        .fate(.written), .fate(.pending), .fate(.rewritten), .fate(.overtaken),
        .fate(.unknown("why")), .fence(.fenced), .fence(.stale), .fence(.impossible),
        .fence(.outlived), .failed("time-out"),
    ]

    static func isEnd(_ action: Action) -> Bool {
        switch action {
        case .finish, .leaveOpen: true
        default: false
        }
    }
}
