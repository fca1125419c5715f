package import MooringModel

/// Names the cause of a difference: what the catalogue's crash points that leave this state are
/// called. It asks for nothing that the state and the owner's effective change do not tell.
package enum CauseRule {
    /// The cause of a difference in this state, whose object was born then and whose owner last
    /// changed then; nil where the owner does not tell.
    package static func cause(
        of state: DifferenceState, birth: Instant, changed: Instant?, race: RaceModel
    ) -> FindingCause {
        let named = causes[state.rawValue]
        guard let later = named.later, let changed else { return named.plain }
        // Until birth + U the change may be the association of the object itself, undone.
        return changed > birth + race.uploadWindow ? later : named.plain
    }

    /// The cause of a difference in this state beside which a sign was seen; the plain cause where
    /// no step leaves this state under that sign.
    package static func cause(
        of state: DifferenceState, showing sign: Residue.Sign
    ) -> FindingCause {
        let residue = WorkflowCatalogue.all.flatMap(\.steps).flatMap(\.leaves)
            .first { $0.state == state && $0.sign == sign }
        return residue?.cause ?? cause(of: state)
    }

    /// The cause that the state alone tells.
    package static func cause(of state: DifferenceState) -> FindingCause {
        causes[state.rawValue].plain
    }

    private static let causes: [(plain: FindingCause, later: FindingCause?)] =
        DifferenceState.allCases.map { state in
            let residues = WorkflowCatalogue.all.flatMap(\.steps).flatMap(\.leaves)
                .filter { $0.state == state }
            let later = residues.first { $0.sign == .laterChange }?.cause
            guard let plain = residues.first(where: { $0.sign == .none })?.cause else {
                preconditionFailure("no workflow leaves \(state)")
            }
            return (plain, later)
        }
}
