import MooringDecisions
import MooringModel
import Testing

@Suite("Causes")
struct CauseRuleTests {
    private let race = Sample.standard
    private let birth = now - .days(50)

    @Test("the catalogue calls each state by one name")
    func consistent() {
        for state in DifferenceState.allCases {
            let residues = WorkflowCatalogue.all.flatMap(\.steps).flatMap(\.leaves)
                .filter { $0.state == state }
            for sign in [Residue.Sign.none, .laterChange] {
                let causes = Set(residues.filter { $0.sign == sign }.map(\.cause))
                #expect(causes.count <= 1, "\(state), \(sign): \(causes)")
            }
        }
    }

    @Test(
        "a state alone tells its cause",
        arguments: [
            (DifferenceState.ownerHoldsNothing, FindingCause.unassociated),
            (.ownerHoldsAnother, .superseded), (.ownerListsOthers, .detached),
            (.ownerIsAbsent, .ownerless), (.ownerIsTombstone, .ownerless),
            (.ownerUnknown, .unattributed), (.objectIsAbsent, .missing),
        ])
    func plain(state: DifferenceState, cause: FindingCause) {
        #expect(CauseRule.cause(of: state) == cause)
        #expect(CauseRule.cause(of: state, birth: birth, changed: nil, race: race) == cause)
    }

    @Test("only an owner that holds nothing, and changed later than birth and U, was cleared")
    func cleared() {
        let bound = birth + race.uploadWindow
        for state in DifferenceState.allCases {
            let plain = CauseRule.cause(of: state)
            #expect(CauseRule.cause(of: state, birth: birth, changed: bound, race: race) == plain)
            let later = CauseRule.cause(
                of: state, birth: birth, changed: bound + .nanoseconds(1), race: race)
            #expect(later == (state == .ownerHoldsNothing ? .cleared : plain))
        }
    }
}
