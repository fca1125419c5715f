/// Numbers with their unit, as reports and refusals show them.
package enum Measure {
    /// A share of one as a percentage with at most two decimals: `0.012` is `1.2%`.
    package static func share(_ share: Double) -> String {
        let hundredths = (share * 10_000).rounded()
        guard hundredths.isFinite, hundredths.magnitude < 1e15 else { return "over 100%" }
        let whole = Int64(hundredths)
        // A share that is not zero never shows as zero.
        if whole == 0, share > 0 { return "under 0.01%" }
        let decimals = whole % 100
        if decimals == 0 { return "\(whole / 100)%" }
        if decimals % 10 == 0 { return "\(whole / 100).\(decimals / 10)%" }
        return "\(whole / 100).\(decimals < 10 ? "0" : "")\(decimals)%"
    }

    /// Bytes in the largest binary unit that leaves a whole part, with one decimal: `1.5 MiB`.
    package static func bytes(_ count: Int64) -> String {
        guard count >= 1_024 else { return "\(count) B" }
        var unit = 1
        var value = Double(count) / 1_024
        let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        // Compared after rounding, so that 1,048,575 bytes are not shown as 1024 KiB.
        while (value * 10).rounded() >= 10_240, unit < names.count - 1 {
            value /= 1_024
            unit += 1
        }
        let tenths = Int64((value * 10).rounded())
        return tenths % 10 == 0
            ? "\(tenths / 10) \(names[unit])" : "\(tenths / 10).\(tenths % 10) \(names[unit])"
    }

    /// A count with its noun, which gets an `s` unless the count is one.
    package static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
