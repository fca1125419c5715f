import MooringModel
import Testing

@Suite("What each strategy does")
struct StrategyTests {
    private static let every = Set(Strategy.allCases).union([.untag])

    @Test("what changes an object, an upload or a record is told apart")
    func subjects() {
        #expect(strategies { $0.subject == .nothing } == [.keep])
        #expect(
            strategies { $0.subject == .object } == [.tag, .untag, .quarantine, .delete, .restore])
        #expect(strategies { $0.subject == .upload } == [.abort])
        #expect(
            strategies { $0.subject == .record }
                == [.requery, .relink, .nullify, .repoint, .deleteRecord])
    }

    @Test("what gives back, adds or asks takes nothing away")
    func losses() {
        #expect(strategies { $0.removes == .object } == [.tag, .quarantine, .delete])
        #expect(strategies { $0.removes == .reference } == [.nullify, .repoint])
        #expect(strategies { $0.removes == .row } == [.deleteRecord])
        #expect(strategies { $0.removes == .upload } == [.abort])
        #expect(
            strategies { $0.removes == .nothing } == [.keep, .requery, .untag, .restore, .relink])
    }

    @Test("what is for good is no more than the three that say so")
    func reversals() {
        #expect(strategies { $0.reversal == .none } == [.delete, .deleteRecord, .abort])
        #expect(
            strategies { $0.reversal == .undo }
                == [.tag, .quarantine, .nullify, .repoint, .relink])
    }

    @Test("what removes an object needs sources that live, and a trial of its bucket")
    func needs() {
        for strategy in strategies({ $0.removes == .object }) {
            #expect(strategy.traits.needs.isSuperset(of: [.liveSources, .liveBuckets, .trial]))
        }
        #expect(
            strategies { $0.needs.contains(.recordWrites) }
                == [.nullify, .repoint, .relink, .deleteRecord])
        #expect(strategies { $0.needs.contains(.tags) } == [.tag])
        #expect(strategies { $0.needs.contains(.uploads) } == [.abort])
        #expect(strategies { !$0.needs.contains(.liveBuckets) } == [.keep, .untag])
    }

    private func strategies(_ fits: (Strategy.Traits) -> Bool) -> Set<Strategy> {
        Self.every.filter { fits($0.traits) }
    }
}
