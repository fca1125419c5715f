import Foundation
import MooringModel
import MooringText

/// Finds the zone that a configuration names.
enum ZoneNames {
    // Times before cannot be believed; what clocks will show after, nobody has decided.
    private static let years: (first: Int64, last: Int64) = (1_104_537_600, 4_102_444_800)
    private static let day: Int64 = 86_400

    /// UTC, an offset such as `+02:00`, or a name of the time zone database; nil when it is none.
    static func zone(_ name: String) -> ClockZone? {
        if ["UTC", "GMT", "Z"].contains(name.uppercased()) { return .utc }
        if let offset = offset(name) { return ClockZone(name: name, offset: offset) }
        guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
        return ClockZone(
            name: name, offset: ahead(zone, years.first), changes: changes(of: zone))
    }

    /// The known name that is spelt most like another.
    static func nearest(to name: String) -> String? {
        Nearest.match(name, among: TimeZone.knownTimeZoneIdentifiers)
    }

    // Signs and digits: `+02:00`, `-0330` or `+2`.
    private static func offset(_ text: String) -> Int64? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let digits = text.dropFirst().filter { $0 != ":" }
        guard parts.count <= 2, !digits.isEmpty, digits.count <= 4,
            digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        let isShort = digits.count <= 2 && parts.count == 1
        guard let hours = Int64(isShort ? digits : String(digits.dropLast(2))),
            let minutes = Int64(isShort ? "0" : String(digits.suffix(2))), hours <= 14, minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    private static func ahead(_ zone: TimeZone, _ seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }

    // Every day is asked, and the second of a change is searched by halves within its day.
    private static func changes(of zone: TimeZone) -> [ClockZone.Change] {
        var changes: [ClockZone.Change] = []
        var before = ahead(zone, years.first)
        for start in stride(from: years.first, to: years.last, by: Int(day)) {
            let after = ahead(zone, start + day)
            guard after != before else { continue }
            var (low, high) = (start, start + day)
            while high - low > 1 {
                let middle = (low + high) / 2
                if ahead(zone, middle) == before { low = middle } else { high = middle }
            }
            changes.append(ClockZone.Change(from: high, offset: after))
            before = after
        }
        return changes
    }
}
