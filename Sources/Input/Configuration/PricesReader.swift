import MooringModel
import MooringText

/// Reads `prices`: what bytes and requests cost.
struct PricesReader {
    /// The root of the file.
    let root: Section

    private static let keys = ["currency", "storage", "requests", "classes"]
    private static let ofClass = ["storage", "minimum", "least", "overhead", "index"]

    /// The prices of the file, with those of AWS for what it leaves out, and what storage classes
    /// ask for, without terms where nothing costs anything; nil where it has none.
    func read() -> (prices: RunSummary.Prices, terms: StorageTerms?)? {
        guard let own = root.section("prices", known: Self.keys) else { return nil }
        let standard = RunSummary.Prices.standard
        let (storage, requests) = (own.amount("storage"), own.amount("requests"))
        let prices = RunSummary.Prices(
            currency: currency(own) ?? standard.currency, storage: storage ?? standard.storage,
            requests: requests ?? standard.requests,
            source: Self.source([storage, requests], missing: storage == nil || requests == nil))
        let isFree = prices.isNothing && !own.has("classes")
        return (prices, isFree ? nil : terms(own, prices, storage))
    }

    // Whose prices they are: some of the file, and whether some of AWS's are among them.
    private static func source(_ given: [Double?], missing: Bool) -> String {
        let standard = RunSummary.Prices.standard.source
        guard missing else { return "the configuration" }
        return given.contains { $0 != nil }
            ? "the configuration; what it leaves out is of \(standard)" : standard
    }

    // In another currency AWS's prices say nothing, while its lengths and sizes do.
    private func terms(
        _ own: Section, _ prices: RunSummary.Prices, _ storage: Double?
    ) -> StorageTerms {
        var terms = StorageTerms.aws
        if prices.currency != terms.currency {
            for name in terms.classes.keys { terms.classes[name]?.storage = nil }
        }
        terms.classes[StorageTerms.standardClass] = .init(prices.storage)
        (terms.currency, terms.source) = (prices.currency, "the configuration")
        terms.listed = Set(terms.classes.filter { $0.value.storage != nil }.keys)
        if storage != nil { terms.listed.remove(StorageTerms.standardClass) }
        guard own.has("classes"), let classes = own.section("classes", known: nil) else {
            return terms
        }
        for name in classes.keys {
            guard name != StorageTerms.standardClass, isClass(name) else {
                classes.report(
                    "'\(name.printable)' is no storage class beside the standard one, such as "
                        + "STANDARD_IA", at: name)
                continue
            }
            guard let section = classes.section(name, known: Self.ofClass) else { continue }
            let given = terms.classes[name] ?? .init(nil)
            let price = section.amount("storage")
            if price != nil { terms.listed.remove(name) }
            terms.classes[name] = StorageTerms.Terms(
                price ?? given.storage,
                minimum: section.duration("minimum") ?? given.minimum,
                least: section.size("least") ?? given.least,
                overhead: section.size("overhead") ?? given.overhead,
                index: section.size("index") ?? given.index)
        }
        return terms
    }

    private func isClass(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            }
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
