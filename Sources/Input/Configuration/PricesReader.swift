import MooringModel
import MooringText

/// Reads `prices`: what bytes and requests cost.
struct PricesReader {
    /// The root of the file.
    let root: Section

    /// The prices of the file, with those of AWS for what it leaves out; nil where it has none.
    func read() -> RunSummary.Prices? {
        guard let own = root.section("prices", known: ["currency", "storage", "requests"]) else {
            return nil
        }
        let standard = RunSummary.Prices.standard
        let storage = own.amount("storage") ?? standard.storage
        let requests = own.amount("requests") ?? standard.requests
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
