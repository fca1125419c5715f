/// The suffixes of a few texts, by which any number of others find those that end like them.
///
/// Looking at a text takes time in the length of what it shares with the few, however many texts
/// end alike.
struct SuffixTree {
    private var children: [UInt64: Int32] = [:]
    private var visitors: [Int32] = [-1]

    /// The most bytes of a text that are compared.
    private static let depthLimit = 1_100

    /// Adds one of the few.
    mutating func insert(_ text: [UInt8]) {
        var node: Int32 = 0
        for byte in text.reversed().prefix(Self.depthLimit) {
            let edge = Self.edge(node, byte)
            if let next = children[edge] {
                node = next
            } else {
                node = Int32(visitors.count)
                children[edge] = node
                visitors.append(-1)
            }
        }
    }

    /// Notes another text, by its number, at every suffix that it shares with one of the few and
    /// that no text before it had.
    mutating func visit(_ text: [UInt8], number: Int) {
        var node: Int32 = 0
        for byte in text.reversed().prefix(Self.depthLimit) {
            guard let next = children[Self.edge(node, byte)] else { return }
            node = next
            if visitors[Int(node)] < 0 { visitors[Int(node)] = Int32(number) }
        }
    }

    /// The text noted first among those that share the most with one of the few, and how many
    /// bytes they share; nil when none shares a byte.
    func nearest(_ text: [UInt8]) -> (number: Int, shared: Int)? {
        var found: (number: Int, shared: Int)?
        var node: Int32 = 0
        for (place, byte) in text.reversed().prefix(Self.depthLimit).enumerated() {
            guard let next = children[Self.edge(node, byte)], visitors[Int(next)] >= 0 else {
                break
            }
            node = next
            found = (Int(visitors[Int(node)]), place + 1)
        }
        return found
    }

    private static func edge(_ node: Int32, _ byte: UInt8) -> UInt64 {
        UInt64(node) << 8 | UInt64(byte)
    }
}
