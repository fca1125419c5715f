/// Whether a table or bucket is there.
package enum StorePresence: Hashable, Sendable {
    case there
    /// The service said that there is none of this name.
    case gone
    /// In words: why it is not known.
    case unknown(String)
}

/// A source of records in tables that go by names of a service.
package protocol TableLister: Sendable {
    /// Whether each mapped table is there, by the service's own names. Throws `CancellationError`
    /// alone.
    func tablePresence() async throws -> [String: StorePresence]

    /// The names of every table of the account and region. Throws `StoreError` where that is not
    /// told.
    func storedTables() async throws -> [String]
}
