/// Where a store answers: two stores of one address take what they are asked from each other.
package enum StoreAddress: Hashable, Sendable {
    /// This machine's own files.
    case machine
    /// A service, by its kind, and its host or region; no secret.
    case service(String, [String])

    private static func s3(_ endpoint: S3Settings.Endpoint?, region: String?) -> StoreAddress {
        .service("s3", endpoint?.parts ?? [region ?? ""])
    }

    /// Where a source of records answers.
    package init(_ store: RecordStore) {
        switch store {
        case .sqlite, .csv, .jsonl, .parquet, .datastore: self = .machine
        case .postgres(let settings): self = .service("postgres", settings.server)
        case .dynamodb(let settings):
            self = .service("dynamodb", settings.endpoint?.parts ?? [settings.region ?? ""])
        case .dynamodbExport(let settings):
            switch settings.place {
            case .folder: self = .machine
            case .bucket: self = .s3(settings.endpoint, region: settings.region)
            }
        case .appsync(let settings): self = .service("appsync", settings.endpoint.parts)
        }
    }

    /// Where a bucket's objects answer.
    package init(_ store: ObjectStore) {
        switch store {
        case .directory, .listing, .inventory: self = .machine
        case .s3(let settings): self = .s3(settings.endpoint, region: settings.region)
        }
    }
}

extension S3Settings.Endpoint {
    fileprivate var parts: [String] { [host.lowercased(), port.map(String.init) ?? ""] }
}
