/// Needs in the order of their kinds, packed: of a large app there may be tens of millions.
package struct NarrowingNeeds: Sequence, Sendable {
    private var byKind: [NarrowingNeed.Kind: Packed] = [:]

    /// None.
    package init() {}

    /// How many there are.
    package var count: Int { byKind.values.reduce(0) { $0 + $1.count } }

    /// Whether there is none.
    package var isEmpty: Bool { byKind.isEmpty }

    /// The kinds that there are.
    package var kinds: Set<NarrowingNeed.Kind> { Set(byKind.keys) }

    /// Adds a need, whether or not it is there.
    package mutating func append(_ need: NarrowingNeed) {
        byKind[need.kind, default: Packed(kind: need.kind)].append(need)
    }

    /// Those of one kind.
    package subscript(kind: NarrowingNeed.Kind) -> some Collection<NarrowingNeed> {
        byKind[kind] ?? Packed(kind: kind)
    }

    /// Goes through all of them.
    package func makeIterator() -> some IteratorProtocol<NarrowingNeed> {
        NarrowingNeed.Kind.allCases.lazy.compactMap { byKind[$0] }.joined().makeIterator()
    }

    // Those of one kind, without an allocation for each.
    private struct Packed: Collection, Sendable {
        let kind: NarrowingNeed.Kind
        private var bytes: [UInt8] = []
        private var ends: [Int] = []
        private var numbers: [Int32] = []
        // Of heads alone: a negative one where all are needed.
        private var enough: [Int] = []

        init(kind: NarrowingNeed.Kind) { self.kind = kind }

        mutating func append(_ need: NarrowingNeed) {
            bytes += need.bytes
            ends.append(bytes.count)
            numbers.append(Int32(need.number))
            if kind == .head { enough.append(need.enough ?? -1) }
        }

        var startIndex: Int { 0 }
        var endIndex: Int { ends.count }
        func index(after index: Int) -> Int { index + 1 }

        subscript(index: Int) -> NarrowingNeed {
            let start = index == 0 ? 0 : ends[index - 1]
            let most = kind == .head && enough[index] >= 0 ? enough[index] : nil
            return NarrowingNeed(
                kind, Int(numbers[index]), Array(bytes[start..<ends[index]]), enough: most)
        }
    }
}
