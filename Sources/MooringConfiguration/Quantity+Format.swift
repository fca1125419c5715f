extension Quantity {
    /// A share as people read it: `1.2%`, to two decimals, or to six where that would say 0.
    package static func format(share: Double) -> String {
        percent(share) { scaled, _ in scaled.rounded() }
    }

    /// The smallest share with at most six decimals that, read back, is not below this one: what
    /// an acceptance must say to cover a measured number.
    package static func format(coveringShare share: Double) -> String {
        percent(share) { scaled, scale in
            let near = scaled.rounded()
            return near / scale / 100 >= share ? near : near + 1
        }
    }

    /// Bytes as people read them: `17 B`, `1.5 MiB`, to one decimal.
    package static func format(bytes: Int64) -> String {
        guard bytes.magnitude >= 1_024 else { return "\(bytes) B" }
        let sign = bytes < 0 ? "-" : ""
        var index = 0
        var value = Double(bytes.magnitude) / 1_024
        // 1,023.95 would be printed as 1024.0 of a unit that has a larger one above it.
        while value >= 1_023.95, index < byteUnits.count - 1 {
            value /= 1_024
            index += 1
        }
        let tenths = Int64((value * 10).rounded())
        let text = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(sign)\(text) \(byteUnits[index])"
    }

    private static let byteUnits = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    private static func percent(_ share: Double, _ rounding: (Double, Double) -> Double) -> String {
        guard share.isFinite, share > 0 else { return "0%" }
        let held = min(share, 1_000_000)
        let isTiny = held < 0.00005
        let scale: Double = isTiny ? 1_000_000 : 100
        let units = Int64(rounding(held * 100 * scale, scale))
        let whole = units / Int64(scale)
        var fraction = String(units % Int64(scale) + Int64(scale)).dropFirst()
        while fraction.last == "0" { fraction = fraction.dropLast() }
        return fraction.isEmpty ? "\(whole)%" : "\(whole).\(fraction)%"
    }
}
