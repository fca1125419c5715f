import MooringModel

/// The product's nouns for simulated things, made once and used many times.
enum Names {
    private static let etags = (0..<4_096).map { "e\($0)" }
    private static let multipartETags = (0..<4_096).map { "m\($0)-2" }
    private static let places = (0..<256).map { number in
        RecordPlace(
            identity: RecordIdentity(source: "app", model: "R", id: RecordID("r\(number)")),
            field: "keys")
    }
    private static let tokens = (0..<4_096).map { "v\($0)" }

    /// The stamp of an object as the store tells it.
    static func version(
        _ object: SimulatedObject, _ setting: Setting, born: Instant? = nil
    ) -> ObjectVersion {
        let tag = Int(setting.tag == .content ? object.content : object.serial)
        let etag =
            object.isMultipart ? name(multipartETags, tag, "m", "-2") : name(etags, tag, "e", "")
        return ObjectVersion(
            size: 1, etag: etag, lastModified: born ?? SimulatedClock.instant(object.born))
    }

    /// A record as a finding names it.
    static func place(_ record: Int) -> RecordPlace { places[record % places.count] }

    /// A text that tells one row version from every other.
    static func token(_ version: Int32) -> String { name(tokens, Int(version), "v", "") }

    private static func name(
        _ table: [String], _ number: Int, _ prefix: String, _ suffix: String
    ) -> String {
        table.indices.contains(number) ? table[number] : "\(prefix)\(number)\(suffix)"
    }
}
