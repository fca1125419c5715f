import MooringModel
import MooringText

/// Reads `prices`: what bytes and requests cost.
struct PricesReader {
    /// The root of the file.
    let root: Section

    /// The prices: the file's own; without them those of AWS where every bucket is its own; nil for
    /// other stores, and where the file says that nothing costs anything.
    func read(for buckets: [BucketConfiguration]) -> RunSummary.Prices? {
        guard let own = root.section("prices", known: ["currency", "storage", "requests"]) else {
            let variables = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
            let isElsewhere = variables.contains { root.context.environment[$0]?.isEmpty == false }
            let isAWS =
                !isElsewhere && !buckets.isEmpty && buckets.allSatisfy(\.store.isOfAWS)
            return isAWS && !root.has("prices") ? .standard : nil
        }
        let standard = RunSummary.Prices.standard
        let storage = own.amount("storage") ?? standard.storage
        let requests = own.amount("requests") ?? standard.requests
        guard storage > 0 || requests > 0 else { return nil }
        return RunSummary.Prices(
            currency: currency(own) ?? standard.currency, storage: storage, requests: requests,
            source: "the configuration")
    }

    private func currency(_ own: Section) -> String? {
        guard let text = own.filled("currency") else { return nil }
        guard text.value.utf8.count == 3,
            text.value.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else {
            own.context.report(
                "'currency' needs a code of three capitals, such as USD; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return text.value
    }
}

extension ObjectStore {
    // An inventory is written by AWS alone.
    fileprivate var isOfAWS: Bool {
        switch self {
        case .s3(let settings): settings.endpoint == nil
        case .inventory: true
        case .directory, .listing: false
        }
    }
}
