/// Where a device's copy keeps the writes that it has not sent yet: a table among its others, one
/// row a write.
package struct OutboxTable: Hashable, Sendable {
    /// The table's name.
    package let table: String
    /// The column of the write's own identifier.
    package let id: String
    /// The column of the model's name.
    package let model: String
    /// The column of the record's identifier.
    package let record: String
    /// The column that says `create`, `update` or `delete`.
    package let act: String
    /// The column of the time at which the app made the write, by the device's clock.
    package let madeAt: String

    /// The outbox of Amplify DataStore (amplify-swift, `MutationEvent+Schema.swift`).
    package static let dataStore = OutboxTable(
        table: "MutationEvent", id: "id", model: "modelName", record: "modelId",
        act: "mutationType", madeAt: "createdAt")

    /// The tables in which Amplify's devices keep what they will write, on iOS and on Android.
    package static let tables: Set<String> = [dataStore.table, "PersistentRecord"]

    /// The columns that every version of it has.
    package var columns: [String] { [id, model, record, act, madeAt] }
}

extension RecordID {
    /// The identifier as Amplify DataStore writes it: one part as it is, several in quotes with `#`
    /// between them (amplify-swift, `ModelIdentifierProtocol.stringValue`).
    package var dataStoreText: [UInt8] {
        guard parts.count > 1 else { return joined }
        let quote = UInt8(ascii: "\"")
        return Array(parts.map { [quote] + $0 + [quote] }.joined(separator: [UInt8(ascii: "#")]))
    }
}

/// A write that a device has made and not sent yet.
package struct PendingWrite: Hashable, Sendable {
    /// The name of the source that is the device's copy.
    package let device: String
    /// The model's name, as the device spells it.
    package let model: String
    /// The record's identifier, as the device spells it (`RecordID.dataStoreText`).
    package let record: [UInt8]
    /// `create`, `update` or `delete`, as the device spells it.
    package let act: String
    /// When the app made it, by the device's clock; nil when it does not tell.
    package let madeAt: Instant?

    /// A write.
    package init(device: String, model: String, record: [UInt8], act: String, madeAt: Instant?) {
        self.device = device
        self.model = model
        self.record = record
        self.act = act
        self.madeAt = madeAt
    }
}
