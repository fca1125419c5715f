import MooringModel

/// Moments and days as texts that both Mooring and the server read.
enum CalendarText {
    // 2000-01-01, from which the server counts, in days since 1970.
    private static let epoch: Int64 = 10_957

    /// A moment in so many microseconds since 2000: ISO 8601 in UTC, with as many of 3 or 6
    /// decimals as it needs; `infinity` and `-infinity` as the server spells them. Of a column that
    /// knows no zone the text names none either.
    static func timestamp(_ microseconds: Int64, isZoned: Bool = true) -> [UInt8] {
        if let endless = endless(microseconds, .min, .max) { return endless }
        let (seconds, fraction) = microseconds.quotientAndRemainder(flooringBy: 1_000_000)
        let (days, second) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = calendar(days: days + epoch)
        let isUsual = (1...9_999).contains(year)
        let isShort = fraction % 1_000 == 0
        // Every row has such a time: written in place, without a copy.
        return [UInt8](unsafeUninitializedCapacity: 40) { output, count in
            func put(_ byte: UInt8) {
                output[count] = byte
                count += 1
            }
            func put(_ number: Int64, _ width: Int) {
                var rest = number
                for place in (count..<count + width).reversed() {
                    output[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                count += width
            }
            if isUsual {
                put(year, 4)
                put(UInt8(ascii: "-"))
                put(month, 2)
                put(UInt8(ascii: "-"))
                put(day, 2)
            } else {
                for byte in calendar(year, month, day) { put(byte) }
            }
            put(UInt8(ascii: "T"))
            put(second / 3_600, 2)
            put(UInt8(ascii: ":"))
            put(second / 60 % 60, 2)
            put(UInt8(ascii: ":"))
            put(second % 60, 2)
            if fraction > 0 {
                put(UInt8(ascii: "."))
                put(isShort ? fraction / 1_000 : fraction, isShort ? 3 : 6)
            }
            if isZoned { put(UInt8(ascii: "Z")) }
            if !isUsual { for byte in era(year) { put(byte) } }
        }
    }

    /// A day, so many days after 2000-01-01: `2026-11-22`.
    static func date(_ days: Int64) -> [UInt8] {
        if let endless = endless(days, Int64(Int32.min), Int64(Int32.max)) { return endless }
        let (year, month, day) = calendar(days: days + epoch)
        return calendar(year, month, day) + era(year)
    }

    private static func endless(_ number: Int64, _ least: Int64, _ most: Int64) -> [UInt8]? {
        if number == most { return Array("infinity".utf8) }
        return number == least ? Array("-infinity".utf8) : nil
    }

    // There is no year 0: the year before 1 is 1 BC.
    private static func calendar(_ year: Int64, _ month: Int64, _ day: Int64) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(32)
        append(year > 0 ? year : 1 - year, 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(month, 2, to: &text)
        text.append(UInt8(ascii: "-"))
        append(day, 2, to: &text)
        return text
    }

    private static func era(_ year: Int64) -> [UInt8] { year > 0 ? [] : Array(" BC".utf8) }

    private static func append(_ number: Int64, _ width: Int, to text: inout [UInt8]) {
        var least: Int64 = 1
        for _ in 1..<width { least *= 10 }
        while number / least >= 10 { least *= 10 }
        var rest = number
        while least > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / least))
            rest %= least
            least /= 10
        }
    }

    // Eras of 400 years that begin on March 1st, so that the leap day is the last of its year.
    private static func calendar(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth + (marchMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// The quotient rounded down, and what is left, never negative.
    fileprivate func quotientAndRemainder(
        flooringBy divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
