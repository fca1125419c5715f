/// What a store keeps of the past of one table's records, as far as it tells.
package struct TableTraces: Hashable, Sendable {
    /// What a table's stream of changes tells.
    package enum Stream: Hashable, Sendable {
        /// There is none.
        case off
        /// What changed, and not what was there before.
        case withoutOld
        /// What was there before each change.
        case withOld
    }

    /// Whether the table can be had as it was.
    package enum Recovery: Hashable, Sendable {
        case off
        /// As of any moment since this one; nil where the store does not say since when.
        case since(Instant?)
    }

    /// The table's name in the configuration.
    package let table: String
    /// What its stream tells.
    package var stream: StoreSettings.Answer<Stream>
    /// Whether it can be restored as of a moment.
    package var recovery: StoreSettings.Answer<Recovery>
    /// The attribute by whose time records go on their own; nil where none does.
    package var expiry: StoreSettings.Answer<String?>

    /// What a store keeps of a table.
    package init(
        table: String, stream: StoreSettings.Answer<Stream>,
        recovery: StoreSettings.Answer<Recovery>, expiry: StoreSettings.Answer<String?>
    ) {
        self.table = table
        self.stream = stream
        self.recovery = recovery
        self.expiry = expiry
    }
}

/// A source whose store tells what it keeps of the past.
package protocol TracedSource: Sendable {
    /// What is kept of each mapped table, in the order of the mapping; what is not told says why.
    /// Throws only where it was cancelled.
    func traces() async throws -> [TableTraces]
}
