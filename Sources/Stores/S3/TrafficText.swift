package import MooringAWS
import MooringModel

/// What was sent to a store, in words.
package enum TrafficText {
    /// Requests by their calls, the most frequent first; what was sent again; how long it took and
    /// how many requests were under way meanwhile; and what AWS would charge, where it is AWS that
    /// was asked. Nil where nothing was sent.
    package static func words(
        _ traffic: RequestTraffic, prices: RequestPrices?
    ) -> String? {
        let calls = traffic.calls.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !calls.isEmpty else { return nil }
        let total = calls.reduce(0) { $0 + $1.value }
        var parts = [
            Measure.count(total, "request") + " ("
                + calls.map { "\($0.value) \($0.key)" }.joined(separator: ", ") + ")"
        ]
        if traffic.repetitions > 0 { parts.append("\(traffic.repetitions) of them again") }
        if traffic.slowDowns > 0 {
            parts.append("asked \(Measure.count(traffic.slowDowns, "time")) to slow down")
        }
        if let atATime = traffic.atATime {
            parts.append("in \(tenths(traffic.span / .seconds(1))) s")
            parts.append(
                "\(tenths(atATime)) at a time on average of \(traffic.allowed) allowed")
        }
        if let prices {
            let millionths = Int((prices.estimate(traffic) * 1_000_000).rounded())
            let digits = String(millionths % 1_000_000 + 1_000_000).dropFirst()
            parts.append(
                "about \(millionths / 1_000_000).\(digits) USD at the list prices of "
                    + "\(prices.asOf) (\(prices.source))")
        }
        return parts.joined(separator: ", ")
    }

    // With one decimal.
    private static func tenths(_ number: Double) -> String {
        let tenths = Int64((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension S3Bucket {
    /// Requests so far, the quarantine's own bucket included.
    package var traffic: String? {
        var sum = own.client.traffic
        if held !== own { sum.add(held.client.traffic) }
        let isAWS = S3Host(own.client.place.endpoint.host) != nil
        return TrafficText.words(sum, prices: isAWS ? .usEast : nil)
    }
}
