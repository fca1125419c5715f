/// Where an element stands in its list, with the first bytes of what it is sorted by: most
/// comparisons need no more, and so look at nothing that lies elsewhere.
private struct HeadedPlace {
    // What is compared first.
    let group: Int
    // Eight bytes as a number, the first one highest; zeros stand for what is missing.
    let head: UInt64
    let place: Int

    init(_ place: Int, group: Int, _ bytes: some Collection<UInt8>) {
        (self.place, self.group) = (place, group)
        var (head, rest) = (UInt64(0), UInt64(64))
        for byte in bytes.prefix(8) {
            rest -= 8
            head |= UInt64(byte) << rest
        }
        self.head = head
    }
}

extension [HeadedPlace] {
    // The places in order; `precedes` decides between two of one group whose heads are the same.
    fileprivate func ordered(_ precedes: (_ one: Int, _ other: Int) -> Bool) -> [Int] {
        sorted { one, other in
            if one.group != other.group { return one.group < other.group }
            return one.head == other.head
                ? precedes(one.place, other.place) : one.head < other.head
        }.map(\.place)
    }
}

extension Array {
    /// The places of the elements in the order of a text of each, by its bytes; those of one text
    /// stay in theirs.
    package func places(inOrderOf text: (Element) -> String) -> [Int] {
        indices.map { HeadedPlace($0, group: 0, text(self[$0]).utf8) }.ordered { one, other in
            let (own, others) = (Array<UInt8>(text(self[one]).utf8), text(self[other]).utf8)
            return own.elementsEqual(others)
                ? one < other : own.lexicographicallyPrecedes(others)
        }
    }

    /// The places of the elements in the order of a number of each, and where that is the same, of
    /// bytes of each; `precedes` decides between two that have both in common.
    package func places(
        inOrderOf group: (Element) -> Int, _ bytes: (Element) -> [UInt8],
        then precedes: (_ one: Int, _ other: Int) -> Bool = { $0 < $1 }
    ) -> [Int] {
        let shared = sharedBeginnings(group, bytes)
        return indices.map { place in
            let number = group(self[place])
            let own = bytes(self[place])[(shared[number] ?? 0)...]
            return HeadedPlace(place, group: number, own)
        }.ordered { one, other in
            let (own, others) = (bytes(self[one]), bytes(self[other]))
            return own == others ? precedes(one, other) : own.precedes(others)
        }
    }

    // How many bytes all elements of a number begin with: the keys of a bucket begin alike.
    private func sharedBeginnings(
        _ group: (Element) -> Int, _ bytes: (Element) -> [UInt8]
    ) -> [Int: Int] {
        var first: [Int: [UInt8]] = [:]
        var counts: [Int: Int] = [:]
        for element in self {
            let (number, own) = (group(element), bytes(element))
            if let known = first[number] {
                counts[number] = own.shared(with: known, upTo: counts[number] ?? 0)
            } else {
                (first[number], counts[number]) = (own, own.count)
            }
        }
        return counts
    }
}
