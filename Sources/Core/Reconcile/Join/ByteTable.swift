/// Numbers byte strings from 0 in the order of their first insertion, in one arena without an
/// allocation for each; equal bytes have one number.
struct ByteTable: Sendable {
    private let maker = FingerprintMaker()
    private var arena: [UInt8] = []
    private var offsets: [Int] = [0]
    private var hashes: [UInt64] = []
    // Open addressing: the number plus one, or 0 for a free place; at most half full.
    private var places: [UInt32] = Array(repeating: 0, count: 1 << 10)

    /// How many different strings there are; at most 2^32 - 2.
    var count: Int { hashes.count }

    /// The string of a number that `insert` gave.
    func bytes(_ number: Int) -> ArraySlice<UInt8> { arena[offsets[number]..<offsets[number + 1]] }

    /// The number of a string, which is inserted when it is new.
    mutating func insert(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBufferPointer { insert($0) } }

    /// The same of bytes in place.
    mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = hash(bytes)
        let place = find(bytes, hash)
        if places[place] != 0 { return Int(places[place]) - 1 }
        arena.append(contentsOf: bytes)
        offsets.append(arena.count)
        hashes.append(hash)
        places[place] = UInt32(hashes.count)
        if hashes.count * 2 > places.count { grow() }
        return hashes.count - 1
    }

    /// The number of a string; nil when it is not there.
    func number(of bytes: [UInt8]) -> Int? { number(of: bytes[...]) }

    /// The same of a part of another text.
    func number(of bytes: ArraySlice<UInt8>) -> Int? {
        let found = bytes.withUnsafeBufferPointer { places[find($0, hash($0))] }
        return found == 0 ? nil : Int(found) - 1
    }

    /// All strings in the order of their numbers.
    var all: some RandomAccessCollection<ArraySlice<UInt8>> { (0..<count).lazy.map(bytes) }

    /// The strings one behind the other, for as long as they are handed over; each begins at the
    /// offset of its number, and ends at the next one.
    func withBytes<Result>(
        _ body: (_ bytes: UnsafeRawBufferPointer, _ offsets: UnsafeBufferPointer<Int>) -> Result
    ) -> Result {
        arena.withUnsafeBytes { arena in offsets.withUnsafeBufferPointer { body(arena, $0) } }
    }

    private func find(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0 {
            let number = Int(places[place]) - 1
            if hashes[number] == hash, isEqual(number, bytes) { return place }
            place = (place + 1) & mask
        }
        return place
    }

    private func isEqual(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let (start, end) = (offsets[number], offsets[number + 1])
        guard end - start == bytes.count else { return false }
        return arena.withUnsafeBufferPointer { arena in
            UnsafeBufferPointer(rebasing: arena[start..<end]).elementsEqual(bytes)
        }
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        let mask = places.count - 1
        for (number, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = UInt32(number + 1)
        }
    }

    // Under secrets of its own: hostile keys cannot be chosen to collide.
    private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        maker.make(bytes, tag: 0).low
    }
}
