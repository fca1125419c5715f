import MooringModel
import MooringText

extension MatchedRecords {
    /// What the facts of a stage tell of a table.
    init(_ facts: SparkFacts, _ table: SparkTable, buckets: [Int]) {
        self.init(fields: table.mapping.files.count)
        records = facts.count("closed", table.model)
        for number in fields.indices {
            fields[number].references = facts.count("references", table.model, "\(number)")
            fields[number].held = facts.count("held", table.model, "\(number)")
        }
        for form in facts.all("form", table.model) {
            guard let field = Int(form.part), let form = Int(form.value) else { continue }
            fields[field].forms.insert(form)
        }
        for newest in facts.all("changed", table.model) {
            guard let moment = Self.moment(newest.value, newest.part) else { continue }
            newestChange = newestChange.map { max($0, moment) } ?? moment
        }
        identities = Set(
            facts.all("identity", table.model).compactMap {
                Hexadecimal.decoded(Array($0.value.utf8))
            })
        for bucket in buckets {
            self.buckets[bucket] = facts.count("matched", table.model, "\(bucket)")
        }
    }

    // Written in one of three forms: 0 is a text, else so many digits.
    private static func moment(_ text: String, _ form: String) -> Instant? {
        if form == "0" { return Instant(iso8601: text) }
        guard let number = Int64(text) else { return nil }
        return form == "10"
            ? Instant(seconds: number) : Instant(nanoseconds: number * 1_000_000)
    }
}
