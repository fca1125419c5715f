/// What all calls of a client may spend on repetitions together: a bucket of tokens that
/// repetitions after failures empty and successes fill.
package struct RetryBudget: Sendable {
    private static let price = 10

    private let capacity: Int
    private var tokens: Int

    /// A full bucket, good for so many repetitions in a row.
    package init(repetitions: Int) {
        capacity = repetitions * Self.price
        tokens = capacity
    }

    /// Takes what one repetition costs; false when it is not there.
    package mutating func spend() -> Bool {
        guard tokens >= Self.price else { return false }
        tokens -= Self.price
        return true
    }

    /// A success earns a tenth of a repetition.
    package mutating func earn() { tokens = min(capacity, tokens + 1) }
}
