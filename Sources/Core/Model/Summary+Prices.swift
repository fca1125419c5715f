extension RunSummary {
    /// What a store asks for, by which a report tells what orphans cost.
    ///
    /// One price for all bytes: classes that cost less, discounts and the lengths for which an
    /// object is charged at least are not known to it, nor is what databases ask for.
    package struct Prices: Hashable, Sendable {
        /// The currency's code, such as `USD`.
        package var currency: String
        /// Of a GiB for a month.
        package var storage: Double
        /// Of a thousand requests.
        package var requests: Double
        /// Where the prices come from, for people.
        package var source: String

        /// Prices.
        package init(currency: String, storage: Double, requests: Double, source: String) {
            self.currency = currency
            self.storage = storage
            self.requests = requests
            self.source = source
        }

        /// What AWS asks for in us-east-1: standard storage below 50 TB, of which a GB has 2^30
        /// bytes, and requests that list, the dearest of those that a scan sends (source: its
        /// price list, as public pages quoted it in November 2026).
        package static let standard = Prices(
            currency: "USD", storage: 0.023, requests: 0.005,
            source: "S3 Standard in us-east-1, November 2026")

        /// Whether nothing costs anything, so that nothing is to be told.
        package var isNothing: Bool { storage == 0 && requests == 0 }

        /// What bytes cost a month.
        package func month(of bytes: Int64) -> Double {
            Double(bytes) / Double(1 << 30) * storage
        }
    }

    /// What the findings and the run cost, by the run's prices.
    package struct Cost: Hashable, Sendable {
        /// The bytes of all orphans, a month.
        package let orphans: Double
        /// What lies in quarantine, a month.
        package let quarantine: Double
        /// The requests to buckets of S3 at most, as if all of them were listings.
        package let requests: Double
    }

    /// The cost; nil of a run without prices, or that did not scan.
    package var cost: Cost? {
        guard let prices, !buckets.isEmpty else { return nil }
        let sent = buckets.filter { $0.kind == "s3" }.reduce(0) { $0 + $1.scan.requests }
        return Cost(
            orphans: prices.month(of: counts[.orphan]?.bytes ?? 0),
            quarantine: prices.month(of: buckets.reduce(0) { $0 + $1.quarantinedBytes }),
            requests: Double(sent) / 1_000 * prices.requests)
    }

    /// The cost as `report.json` holds it, to millionths.
    package var costJSON: JSONValue? {
        guard let prices else { return nil }
        func rounded(_ amount: Double?) -> JSONValue? {
            amount.map { .number(($0 * 1e6).rounded() / 1e6) }
        }
        return .members([
            "currency": .string(prices.currency), "orphansMonthly": rounded(cost?.orphans),
            "quarantineMonthly": rounded(cost?.quarantine), "requests": rounded(cost?.requests),
            "prices": .members([
                "storage": .number(prices.storage), "requests": .number(prices.requests),
                "source": .string(prices.source),
            ]),
        ])
    }
}

extension RunSummary.Prices {
    /// Reads them back.
    init(json node: JSONNode) throws(DocumentError) {
        guard let prices = node["prices"], let storage = prices["storage"]?.number,
            let requests = prices["requests"]?.number
        else { throw DocumentError("'prices' is missing") }
        self.init(
            currency: try node.required("currency"), storage: storage, requests: requests,
            source: prices["source"]?.string ?? "")
    }
}
