import MooringText
import Testing

@Suite("Room that is filled in anew")
struct RefilledTests {
    @Test("it holds what was appended since it was emptied, one by one or several at once")
    func contents() {
        var room = Refilled<Int>()
        #expect(room.elements.isEmpty)
        for length in [0, 1, 40, 3, 200, 0, 17] {
            room.removeAll()
            #expect(room.count == 0)
            let some = Array(0..<length)
            for number in some { room.append(number) }
            some.withUnsafeBufferPointer { room.append($0) }
            #expect(Array(room.elements) == some + some)
            if length > 0 { #expect(room[length] == 0) }
            #expect(Array(room[length..<2 * length]) == some)
        }
    }

    @Test("what is taken out is let go, and so is all when the room goes")
    func release() {
        final class Held {}
        weak var first: Held?
        weak var second: Held?
        do {
            var room = Refilled<Held>()
            let held = Held()
            first = held
            room.append(held)
            room.removeAll()
            let other = Held()
            second = other
            for _ in 0..<100 { room.append(other) }
        }
        #expect(first == nil)
        #expect(second == nil)
    }

    @Test("of a word the bytes are found that are asked for, and no others")
    func words() {
        for byte in UInt8.min...UInt8.max {
            for other in [0, 1, 0x2E, 0x2F, 0x30, 0x7F, 0x80, 0xAF, 0xFF] as [UInt8] {
                let bytes = [byte, other, byte, other, other, byte, byte, other]
                let word = bytes.withUnsafeBytes { UInt64(littleEndian: $0.load(as: UInt64.self)) }
                let found = ByteWord.places(of: 0x2F, in: word)
                for (place, own) in bytes.enumerated() {
                    #expect(found >> (8 * place) & 0xFF == (own == 0x2F ? 0x80 : 0))
                }
            }
        }
    }

    @Test("of a text a byte is found that is asked for, wherever it stands in one of any length")
    func texts() {
        for count in 0...40 {
            let text = [UInt8](repeating: 0x61, count: count)
            #expect(!holdsControl(text))
            for place in 0..<count {
                for byte in [0, 0x1F, 0x20, 0x7F, 0x80, 0x9F, 0xFF] as [UInt8] {
                    var other = text
                    other[place] = byte
                    #expect(holdsControl(other) == (byte < 0x20), "\(byte) at \(place) of \(count)")
                    #expect(!same(text, other) && same(other, other))
                }
            }
            #expect(same(text, text) && !same(text, text + [0x61]))
        }
    }

    private func holdsControl(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { bytes in
            ByteWord.contains(in: bytes) { ByteWord.holds(less: 0x20, in: $0) }
        }
    }

    private func same(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { ByteWord.areSame(one, $0) }
        }
    }
}
