package import MooringModel
import MooringText

extension DynamoDBSource: TracedSource {
    /// Asks for each table's stream, recovery and time to live: three calls that read settings
    /// alone.
    package func traces() async throws -> [TableTraces] {
        var traces: [TableTraces] = []
        for model in settings.models where !traces.contains(where: { $0.table == model.table }) {
            let table = model.table
            traces.append(
                TableTraces(
                    table: table,
                    stream: try await told(table) {
                        try await self.catalogue.description(table).stream
                    },
                    recovery: try await told(table) {
                        try TableAnswers.recovery(
                            try await self.ask("DescribeContinuousBackups", of: table))
                    },
                    expiry: try await told(table) {
                        try TableAnswers.expiry(
                            try await self.ask("DescribeTimeToLive", of: table))
                    }))
        }
        return traces
    }

    private func ask(_ call: String, of table: String) async throws -> [UInt8] {
        var body = RequestBody()
        body.add("TableName", text: settings.names.stored(table))
        return try await client.read(call, body.text)
    }

    private func told<Value>(
        _ table: String, _ ask: () async throws -> Value
    ) async throws -> StoreSettings.Answer<Value> {
        do {
            return .told(try await inWords(table, ask))
        } catch let error as StoreError {
            return .unknown(error.reason)
        }
    }
}

/// What calls about a table's settings answer.
enum TableAnswers {
    /// Reads DescribeContinuousBackups. Throws where the answer tells no status.
    static func recovery(_ body: [UInt8]) throws -> TableTraces.Recovery {
        // What cannot be parsed tells of nothing.
        let point = (try? JSONNode(parsing: body))?["ContinuousBackupsDescription"]?[
            "PointInTimeRecoveryDescription"]
        switch point?["PointInTimeRecoveryStatus"]?.string {
        case "ENABLED":
            return .since(
                point?["EarliestRestorableDateTime"]?.number.flatMap {
                    Int64(exactly: $0.rounded(.down)).map { Instant(seconds: $0) }
                })
        case "DISABLED": return .off
        default: throw ItemFault(reason: "tells no PointInTimeRecoveryStatus")
        }
    }

    /// Reads DescribeTimeToLive: the attribute, where records expire. Throws where the answer
    /// tells no status.
    static func expiry(_ body: [UInt8]) throws -> String? {
        // What cannot be parsed tells of nothing.
        let told = (try? JSONNode(parsing: body))?["TimeToLiveDescription"]
        switch told?["TimeToLiveStatus"]?.string {
        case "ENABLED", "ENABLING", "DISABLING": return told?["AttributeName"]?.string ?? ""
        case "DISABLED": return nil
        default: throw ItemFault(reason: "tells no TimeToLiveStatus")
        }
    }
}
