import MooringModel

/// Numbers as people read them, the same on every machine whatever its locale.
package enum Figures {
    /// A whole number with a comma after each three digits.
    package static func grouped(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A size in binary units with one decimal, such as `1.5 GiB`; below 1 KiB in bytes.
    package static func size(_ bytes: Int64) -> String {
        guard bytes.magnitude >= 1_024 else { return "\(bytes) B" }
        var value = Double(bytes.magnitude) / 1_024
        var units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][...]
        // Compared after rounding, so that 1,048,575 bytes are not shown as 1024.0 KiB.
        while (value * 10).rounded() >= 10_240, units.count > 1 {
            value /= 1_024
            units = units.dropFirst()
        }
        let tenths = Int64((value * 10).rounded())
        let sign = bytes < 0 ? "-" : ""
        return "\(sign)\(grouped(tenths / 10)).\(tenths % 10) \(units.first ?? "")"
    }

    /// An amount of money as people say it: `about USD 7.72`, or `under USD 0.01`.
    static func money(_ amount: Double, _ currency: String) -> String {
        if amount > 0, amount < 0.005 { return "under \(currency) 0.01" }
        // No amount that a store asks for comes near the end of the range.
        let cents = Int64(min(max(amount, 0) * 100, 1e17).rounded())
        let rest = cents % 100
        return (amount > 0 ? "about " : "") + "\(currency) \(grouped(cents / 100))."
            + (rest < 10 ? "0" : "") + "\(rest)"
    }

    /// `1 record`, `2 records`.
    package static func counted(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A moment as ISO 8601 without decimals.
    static func time(_ instant: Instant) -> String {
        let text = instant.iso8601
        guard let point = text.firstIndex(of: ".") else { return text }
        return text[..<point] + "Z"
    }

    /// A moment to the minute, as people read it: `2026-11-21 02:00 UTC`.
    static func minute(_ instant: Instant) -> String {
        let text = instant.iso8601
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }

    /// When a run started and ended, how long it took, and what memory.
    static func times(of summary: RunSummary) -> String {
        let start = time(summary.startedAt)
        guard let end = summary.finishedAt else { return "\(start), not ended" }
        var taken = [(end - summary.startedAt).label]
        if let peak = summary.peakMemory { taken.append("\(Measure.bytes(peak)) of memory") }
        if summary.spilled > 0 {
            taken.append("\(counted(summary.spilled, "key")) in scratch")
        }
        return "\(start) to \(time(end)) (\(taken.joined(separator: ", ")))"
    }
}
