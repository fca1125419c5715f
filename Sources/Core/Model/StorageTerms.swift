/// What each storage class of a store asks for, by which a plan tells what its steps cost.
package struct StorageTerms: Hashable, Sendable {
    /// What one class asks for.
    package struct Terms: Hashable, Sendable {
        /// The price of a GiB for a month; nil where nobody says it.
        package var storage: Double?
        /// For how long an object is charged at least, also one that goes sooner.
        package var minimum: Duration
        /// The bytes for which an object is charged at least.
        package var least: Int64
        /// The bytes that come to each object's own, at the price of the class.
        package var overhead: Int64
        /// The same at the price of the standard class.
        package var index: Int64

        /// Terms; without others an object is charged for what it is, as long as it is there.
        package init(
            _ storage: Double?, minimum: Duration = .zero, least: Int64 = 0, overhead: Int64 = 0,
            index: Int64 = 0
        ) {
            self.storage = storage
            self.minimum = minimum
            self.least = least
            self.overhead = overhead
            self.index = index
        }
    }

    /// The currency's code.
    package var currency: String
    /// The terms of each class, by its name in the store's language.
    package var classes: [String: Terms]
    /// Where they come from, for people.
    package var source: String
    /// The classes whose prices come from AWS's list all the same.
    package var listed: Set<String> = []

    /// Terms of a store.
    package init(currency: String, classes: [String: Terms], source: String) {
        self.currency = currency
        self.classes = classes
        self.source = source
    }

    /// The class of objects of which a store names none.
    package static let standardClass = "STANDARD"
    /// By how long months are reckoned.
    package static let month = Duration.days(30)

    private static let small: Int64 = 128 << 10

    /// AWS's in us-east-1. Lengths and sizes: the user guide of S3, "Understanding and managing
    /// Amazon S3 storage classes" (the table that compares them, and its note on 32 KB and 8 KB of
    /// metadata of each archived object), and the notes of S3's price list. Prices: that list, as
    /// public pages quoted it in November 2026, of which a GB has 2^30 bytes; but those of
    /// ONEZONE_IA and GLACIER are from memory, not looked up: no page was found that quotes them.
    package static let aws = StorageTerms(
        currency: RunSummary.Prices.standard.currency,
        classes: [
            standardClass: Terms(RunSummary.Prices.standard.storage),
            "STANDARD_IA": Terms(0.0125, minimum: .days(30), least: small),
            "ONEZONE_IA": Terms(0.01, minimum: .days(30), least: small),
            "GLACIER_IR": Terms(0.004, minimum: .days(90), least: small),
            "GLACIER": Terms(0.0036, minimum: .days(90), overhead: 32 << 10, index: 8 << 10),
            "DEEP_ARCHIVE": Terms(
                0.00099, minimum: .days(180), overhead: 32 << 10, index: 8 << 10),
        ], source: RunSummary.Prices.standard.source)

    /// Where the prices of some classes come from, for people.
    package func source(of names: some Sequence<String>) -> String {
        let listed = names.filter(self.listed.contains).sorted()
        guard !listed.isEmpty else { return source }
        return "\(source); of \(listed.joined(separator: ", ")): \(Self.aws.source)"
    }

    /// What an object of a class costs for a time, whatever its minimum; nil where no price of the
    /// class is known.
    package func price(of bytes: Int64, in name: String, for time: Duration) -> Double? {
        guard let terms = classes[name], let price = terms.storage else { return nil }
        let standard = classes[Self.standardClass]?.storage
        guard terms.index == 0 || standard != nil else { return nil }
        let charged = (Double(max(bytes, terms.least)) + Double(terms.overhead)) * price
        let index = Double(terms.index) * (standard ?? 0)
        return (charged + index) / Double(1 << 30) * (max(time, .zero) / Self.month)
    }

    /// What is asked for besides where an object of a class goes that lay there for so long; nil as
    /// above.
    package func fee(on bytes: Int64, in name: String, after time: Duration) -> Double? {
        guard let terms = classes[name] else { return nil }
        return price(of: bytes, in: name, for: terms.minimum - max(time, .zero))
    }
}

/// Which storage class an object is in, as a look told it.
package enum StorageClassAnswer: Hashable, Sendable {
    case told(String)
    /// It is gone, or another version by now.
    case changed
    /// In words: why it is not known.
    case unknown(String)
}

/// A store whose objects are in storage classes.
package protocol StorageClassReader: Sendable {
    /// Looks in which class an object is, where it is this version still.
    func storageClass(of key: ObjectKey, expecting version: ObjectVersion) async
        -> StorageClassAnswer
}
