import Glibc

/// The machine's clock, which everything in the race is measured by.
enum Clock {
    /// A step is given up when less than this is left until its deadline, so that a commit that
    /// the machine holds up still ends in time.
    static let margin: Int64 = 200 * milliseconds

    /// One millisecond.
    static let milliseconds: Int64 = 1_000_000

    /// Nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// The same of a time of the C library.
    static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The generator of a hand's choices: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// A generator that gives the same numbers for the same seed.
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True so many times in a hundred.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A number below a bound, small ones more often: some records are written all the time, and
    /// others rest long enough to be settled.
    mutating func skewed(_ bound: Int) -> Int {
        let place = Double.random(in: 0..<1, using: &self)
        return Int(place * place * Double(bound))
    }

    /// A random UUID of version 4.
    mutating func uuid() -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for place in 0..<36 {
            switch place {
            case 8, 13, 18, 23: text.append(UInt8(ascii: "-"))
            case 14: text.append(UInt8(ascii: "4"))
            case 19: text.append(digits[Int.random(in: 8..<12, using: &self)])
            default: text.append(digits[Int.random(in: 0..<16, using: &self)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
