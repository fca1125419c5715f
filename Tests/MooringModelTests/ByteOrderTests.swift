import MooringModel
import SeededNumbers
import Testing

@Suite("The order of bytes")
struct ByteOrderTests {
    @Test("is that of one byte after the other, whatever the bytes are")
    func order() {
        var random = SeededGenerator("ByteOrderTests")
        for _ in 0..<20_000 {
            let shared = bytes(&random)
            let (left, right) = (shared + bytes(&random), shared + bytes(&random))
            #expect(left.precedes(right) == left.lexicographicallyPrecedes(right))
            #expect(left.begins(with: right) == left.starts(with: right))
            #expect(left.begins(with: shared) && !left.precedes(left))
        }
    }

    // Few values and short, so that beginnings and equal ones come up, the empty one too.
    private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...11, using: &random)).map { _ in
            [0x00, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
    }
}
