package import MooringModel

/// What a record's mark of deletion says.
///
/// Whatever it says beside "no" protects the record's files; but apps write "not deleted" in many
/// ways, such as a date that is none, one in the far future, or a word, and only a clear "yes" says
/// that the record is gone.
package enum DeletionMark: Hashable, Sendable {
    /// It says so: true, or 1.
    case said
    /// It holds the time of the deletion, where that can be believed.
    case since(ChangeTime)
    /// It holds something else.
    case unclear

    private static let no: Set<String> = ["", "0", "false", "f", "no", "n", "null"]
    private static let yes: Set<String> = ["1", "true", "t", "yes", "y"]

    /// The mark in a value; nil where it says that the record is not deleted. A text that names no
    /// zone is read in the one given, where one is.
    package init?(_ value: FieldValue, zone: ClockZone? = nil) {
        switch value {
        case .absent, .null, .integer(0), .real(0): return nil
        case .integer(1), .real(1): self = .said
        case .integer, .real: self = Self.time(value, zone)
        case .text, .blob, .json, .attribute:
            let bytes = value.bytes ?? []
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            if Self.no.contains(text) { return nil }
            self = Self.yes.contains(text) ? .said : Self.time(.text(bytes), zone)
        }
    }

    /// Whether it says without doubt that the record is deleted.
    package func isClear(believing times: BelievableTimes) -> Bool {
        switch self {
        case .said: true
        case .since(let time): times.moment(of: time) != nil
        case .unclear: false
        }
    }

    private static func time(_ value: FieldValue, _ zone: ClockZone?) -> DeletionMark {
        ChangeTimeForm.read(value, zone: zone).map { .since($0.time) } ?? .unclear
    }
}
