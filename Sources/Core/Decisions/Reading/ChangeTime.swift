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

    /// A value as a change time.
    package struct Reading: Hashable, Sendable {
        /// How it is written.
        package let form: ChangeTimeForm
        /// The moment, with its precision and whether its zone is known.
        package let time: ChangeTime
        /// The moment; where nothing tells the zone, read as UTC.
        package var instant: Instant { time.written }
    }

    /// The form and the moment of a value; nil when it is neither a number nor ISO 8601. A text
    /// that names no zone is read in the one given, where one is.
    package static func read(_ value: FieldValue, zone: ClockZone? = nil) -> Reading? {
        switch value {
        case .integer(let number): return read(number)
        case .real(let number) where number.isFinite && abs(number) < 9e15:
            let scale = abs(number) >= Double(millisecondsFrom) ? 1e6 : 1e9
            guard abs(number * scale) < 9.2e18 else { return nil }
            return Reading(
                form: scale == 1e6 ? .milliseconds : .seconds,
                time: ChangeTime(Instant(nanoseconds: Int64(number * scale))))
        case .text(let bytes), .blob(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            if let number = Int64(text) { return read(number) }
            return bytes.withUnsafeBufferPointer { time(ofText: $0, zone: zone) }.map {
                Reading(form: .iso8601, time: $0)
            }
        default: return nil
        }
    }

    /// The moment that a text with date and time names; nil when it is none.
    package static func time(
        ofText text: UnsafeBufferPointer<UInt8>, zone: ClockZone?
    ) -> ChangeTime? {
        guard let read = Instant.read(iso8601: text) else { return nil }
        if let zone, !read.isZoned {
            return ChangeTime(zone.moment(ofLocal: read.instant), precision: read.precision)
        }
        return ChangeTime(read.instant, isZoned: read.isZoned, precision: read.precision)
    }

    /// A moment in this form, with the storage class of the value that it replaces, and naming no
    /// zone where that names none: then as clocks of the zone given show it, or those of UTC.
    package func write(
        _ instant: Instant, like old: FieldValue, zone: ClockZone? = nil
    ) -> FieldValue {
        let milliseconds = instant.nanoseconds / 1_000_000
        let number = self == .seconds ? milliseconds / 1_000 : milliseconds
        let whole = Instant(nanoseconds: milliseconds * 1_000_000)
        let text =
            self == .iso8601
            ? Self.text(of: whole, like: old, zone: zone) : Array(String(number).utf8)
        switch old {
        case .integer: return .integer(number)
        case .real: return .real(Double(number))
        case .blob: return .blob(text)
        default: return .text(text)
        }
    }

    private static func text(
        of moment: Instant, like old: FieldValue, zone: ClockZone?
    ) -> [UInt8] {
        let held = String(decoding: old.bytes ?? [], as: UTF8.self)
        guard Instant.read(iso8601: held)?.isZoned == false else {
            return Array(moment.iso8601.utf8)
        }
        var text = Array((zone ?? .utc).local(of: moment).iso8601.utf8.dropLast())
        if held.contains(" ") { text[10] = UInt8(ascii: " ") }
        return text
    }

    private static func read(_ number: Int64) -> Reading? {
        guard number.magnitude >= Int64(millisecondsFrom).magnitude else {
            return Reading(form: .seconds, time: ChangeTime(Instant(seconds: number)))
        }
        let (value, overflow) = number.multipliedReportingOverflow(by: 1_000_000)
        return overflow
            ? nil
            : Reading(form: .milliseconds, time: ChangeTime(Instant(nanoseconds: value)))
    }
}
