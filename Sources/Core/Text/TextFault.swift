/// Why a text is not what it should be; never any of the text itself.
@usableFromInline package struct TextFault: Error, Hashable {
    /// What was found, as the end of a sentence that begins with the text's place.
    package let found: String
    /// The first byte that does not fit, from 0; nil where the whole text does not.
    package let offset: Int?
    private let isCut: Bool

    /// A fault of a whole text.
    package init(reason: String) {
        (found, offset, isCut) = (reason, nil, false)
    }

    /// A fault at a byte, or at the end of a text that is cut.
    package init(_ found: String, at offset: Int, isCut: Bool) {
        (self.found, self.offset, self.isCut) = (found, offset, isCut)
    }

    /// What was found, and where.
    package var reason: String {
        if isCut { return "ends too early" }
        return offset.map { "\(found) at byte \($0 + 1)" } ?? found
    }
}
