import MooringText

/// Why a row or line of a file cannot be used, as a clause about that row.
typealias RowFault = TextFault

extension RowFault {
    /// The fault, of a last line that no line break ends as a cut.
    func text(isEnded: Bool) -> String {
        isEnded ? reason : "the file ends in the middle of this line, or it \(reason)"
    }
}
