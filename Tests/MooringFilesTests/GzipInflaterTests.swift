import MooringFiles
import SeededNumbers
import Testing

/// What follows a fault is no data: the library may say that it used more than there was.
@Suite("Damaged gzip")
struct GzipInflaterTests {
    private func inflate(_ data: [UInt8], piece: Int, room: Int) throws(ReadFailure) -> [UInt8] {
        let inflater = try GzipInflater()
        var output: [UInt8] = []
        let space = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
        defer { space.deallocate() }
        for start in stride(from: 0, to: data.count, by: piece) {
            let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: piece)
            defer { input.deallocate() }
            let (_, count) = input.update(from: data[start..<min(start + piece, data.count)])
            try inflater.inflate(
                UnsafeMutableBufferPointer(rebasing: input[..<count]), room: space, into: &output)
        }
        return output
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    @Test(
        "of which more is told as used than there is",
        arguments: [
            "1f8b0800000000000003333034323631353bb7b0b4b2b6b1b5b377707472767105002ff4af1916000000",
            "1f8b08000000000004033b3034323611350300ee08bf8d07000000",
            "1f8b0800000000000003333034b236313533b7b0b4b2b6b1a5b3777064720600d61033ab14000000",
        ])
    func used(hex: String) {
        #expect(throws: ReadFailure.self) {
            try inflate(Self.bytes(hex), piece: 1 << 16, room: 1 << 16)
        }
    }

    // Twelve rows as `gzip -9` has them.
    private static let rows = (0..<12).map { number in
        let digits = String(number * 7_919)
        let name = String(repeating: "0", count: 5 - digits.count) + digits
        return "photos/\(name).png,\(number * number)\n"
    }.joined()
    private static let whole = bytes(
        "1f8b08000000000002033dcf4b0e85300805d0b96b31be5e285056a4a36713dd7f8cd4c2f084dfedc7799f"
            + "d7afbcb5f5ffbe96a57f640e0fc22448e3165427119b58904f62a8e918d4341797309269d504358cb3"
            + "4fa4328f0bb94f9985c234cf1ac810d6f2bbf7df910125533443f9521096070bd311baee000000")

    @Test("with any bits turned, in pieces of any size, it tells what it held or fails")
    func turned() throws {
        var generator = SeededGenerator(seed: Seed.one())
        #expect(try inflate(Self.whole, piece: 7, room: 5) == Array(Self.rows.utf8))
        var failures = 0
        for _ in 0..<4_000 {
            var data = Self.whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 10..<data.count, using: &generator)
                data[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
            let piece = Int.random(in: 1...200, using: &generator)
            let room = Int.random(in: 1...300, using: &generator)
            do throws(ReadFailure) {
                let output = try inflate(data, piece: piece, room: room)
                // What ends before its sum is cut off, which the reader of a file tells.
                #expect(data != Self.whole || output == Array(Self.rows.utf8))
            } catch {
                failures += 1
            }
        }
        #expect(failures > 3_000, "\(failures) of 4000")
    }
}
