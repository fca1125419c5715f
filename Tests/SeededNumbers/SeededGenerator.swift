/// Random numbers of property tests (SplitMix64): the same seed gives the same ones everywhere.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// A generator for a test, by its seed.
    package init(_ test: String) {
        self.init(seed: Seed.one(test))
    }

    /// A generator of these numbers.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// True in one of two cases.
    package mutating func bool() -> Bool { Bool.random(using: &self) }

    /// Nil in one of three cases.
    package mutating func maybe<Value>(_ value: (inout SeededGenerator) -> Value) -> Value? {
        number(0...2) == 0 ? nil : value(&self)
    }

    /// As many values as chance says, up to a bound.
    package mutating func some<Value>(
        _ most: Int, _ value: (inout SeededGenerator) -> Value
    ) -> [Value] {
        (0..<number(0...most)).map { _ in value(&self) }
    }

    /// One of these.
    package mutating func one<Value>(of values: [Value]) -> Value {
        values[number(0...(values.count - 1))]
    }

    /// Bytes that stores hold and programs trip over.
    package mutating func hostileBytes() -> [UInt8] {
        switch number(0...7) {
        case 0: return []
        case 1: return some(12) { UInt8($0.number(0...255)) }
        case 2: return Array("line\nfeed\r\t\u{0}nul\u{7F}\\\"".utf8)
        case 3: return Array("<script>alert('x')</script>".utf8)
        case 4: return Array("Cafe\u{301}/\u{202E}gpj.exe/\u{1F3B5}\u{2028}".utf8)
        case 5: return [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80]
        case 6: return [UInt8](repeating: UInt8(number(0...255)), count: number(0...256))
        default: return Array("=cmd()/../../etc/\(number(0...999))".utf8)
        }
    }

    /// The same as text.
    package mutating func hostileText() -> String {
        String(decoding: hostileBytes(), as: UTF8.self)
    }
}
