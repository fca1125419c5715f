import MooringDecisions
import MooringModel

/// Which configured bucket a reference names; the one place where names become numbers.
struct BucketNames: Sendable {
    private let numbers: [String: Int]
    private let count: Int

    /// The names of these buckets: those of the configuration, before the stores' own.
    init(_ buckets: [BucketMapping]) {
        var numbers: [String: Int] = [:]
        for (number, bucket) in buckets.enumerated() {
            if let storeName = bucket.storeName { numbers[storeName] = number }
        }
        for (number, bucket) in buckets.enumerated() { numbers[bucket.name] = number }
        self.numbers = numbers
        count = buckets.count
    }

    /// The bucket's number; nil when the reference names one that is not configured.
    func number(of reference: StoredReference, _ field: FileField) -> Int? {
        if let name = reference.bucket {
            return numbers[String(decoding: name, as: UTF8.self)]
        }
        guard let name = field.bucket else { return count == 1 ? 0 : nil }
        return numbers[name]
    }
}
