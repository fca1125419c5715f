package import MooringModel

/// The form in which a record writes its change time, told apart by how the value looks.
package enum ChangeTimeForm: Hashable, Sendable {
    /// Since 1970, as a number or the text of one.
    case seconds, milliseconds
    /// A text with date and time.
    case iso8601

    // 10^11 seconds lie in the year 5138 and 10^11 milliseconds in 1973, so that the size of a
    // number tells its unit.
    private static let millisecondsFrom: Int64 = 100_000_000_000

    /// The form and the moment of a value; nil when it is neither a number nor ISO 8601.
    package static func read(_ value: FieldValue) -> (form: ChangeTimeForm, instant: Instant)? {
        switch value {
        case .integer(let number): return read(number)
        case .real(let number) where number.isFinite && abs(number) < 9e15:
            let scale = abs(number) >= Double(millisecondsFrom) ? 1e6 : 1e9
            guard abs(number * scale) < 9.2e18 else { return nil }
            return (
                scale == 1e6 ? .milliseconds : .seconds,
                Instant(nanoseconds: Int64(number * scale))
            )
        case .text(let bytes), .blob(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            if let number = Int64(text) { return read(number) }
            return Instant(iso8601: text).map { (.iso8601, $0) }
        default: return nil
        }
    }

    /// A moment in this form, with the storage class of the value that it replaces.
    package func write(_ instant: Instant, like old: FieldValue) -> FieldValue {
        let milliseconds = instant.nanoseconds / 1_000_000
        let number = self == .seconds ? milliseconds / 1_000 : milliseconds
        let whole = Instant(nanoseconds: milliseconds * 1_000_000)
        let text = Array((self == .iso8601 ? whole.iso8601 : String(number)).utf8)
        switch old {
        case .integer: return .integer(number)
        case .real: return .real(Double(number))
        case .blob: return .blob(text)
        default: return .text(text)
        }
    }

    private static func read(_ number: Int64) -> (form: ChangeTimeForm, instant: Instant)? {
        guard number.magnitude >= Int64(millisecondsFrom).magnitude else {
            return (.seconds, Instant(seconds: number))
        }
        let (value, overflow) = number.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? nil : (.milliseconds, Instant(nanoseconds: value))
    }
}
