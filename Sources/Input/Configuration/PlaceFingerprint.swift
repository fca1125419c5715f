package import MooringModel

extension Configuration {
    /// SHA-256 over what decides how much is counted in a place: its store, and which rows, values
    /// or objects of it are looked at. What else the configuration says moves no baseline.
    package func fingerprint(of place: GuardedPlace) -> String {
        var text = CanonicalText()
        switch place {
        case .bucket(let name):
            guard let bucket = buckets.first(where: { $0.name == name }) else { break }
            text.add(bucket.store)
            for prefix in bucket.mapping.prefixes { text.add("prefix", prefix.bytes) }
            for glob in bucket.mapping.ignore { text.add("ignore", glob.pattern) }
        case .source(let name), .model(let name, _), .field(let name, _, _):
            guard let source = records.first(where: { $0.name == name }) else { break }
            text.add(source.store)
            add(place, of: source, to: &text)
        }
        return text.digest
    }

    /// What the count of the objects that a source's texts name is kept under.
    package func textsFingerprint(of source: String) -> TextsFingerprint {
        var text = CanonicalText()
        let own = records.first { $0.name == source }
        for glob in own?.notReferences ?? [] { text.add("notReferences", glob.pattern) }
        for glob in own?.unread ?? [] { text.add("unread", glob.pattern) }
        for bucket in buckets {
            text.add("bucket", bucket.name)
            for prefix in bucket.mapping.prefixes { text.add("prefix", prefix.bytes) }
            for glob in bucket.mapping.ignore { text.add("ignore", glob.pattern) }
        }
        return TextsFingerprint(store: fingerprint(of: .source(source)), words: text.digest)
    }

    /// The hash of each source's store, by the source's name.
    package var sourceStores: [String: String] {
        Dictionary(
            records.map { ($0.name, fingerprint(of: .source($0.name))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// One hash for each source's name and store, by which the looks of runs are told apart that
    /// read other sources.
    package var sourceStamps: Set<String> {
        Set(
            records.map { source in
                var text = CanonicalText()
                text.add("source", source.name)
                text.add(source.store)
                return text.digest
            })
    }

    private func add(
        _ place: GuardedPlace, of source: RecordsConfiguration, to text: inout CanonicalText
    ) {
        let (name, field): (String, String?)
        switch place {
        case .model(_, let model): (name, field) = (model, nil)
        case .field(_, let model, let own): (name, field) = (model, own)
        case .bucket, .source: return
        }
        guard let model = source.mapping.models.first(where: { $0.model == name }) else { return }
        text.add("table", model.table)
        guard let file = model.files.first(where: { $0.field == field }) else { return }
        text.add("file", file.field)
        text.add("list", file.isList)
        text.add("complex", file.isComplex)
    }
}

/// Two hashes: of a source's store, and of the words that decide which objects its texts can
/// protect. Counts under other words are not compared, those of another store are.
package struct TextsFingerprint: Hashable, Sendable {
    /// The hash of the store.
    package let store: String
    /// The hash of `notReferences`, `unread`, and what is listed of the buckets.
    package let words: String

    private static let divider: Character = ":"

    /// The two hashes.
    init(store: String, words: String) {
        self.store = store
        self.words = words
    }

    /// Reads one back; nil when the text is none.
    package init?(_ text: String) {
        let parts = text.split(separator: Self.divider).map(String.init)
        guard parts.count == 2 else { return nil }
        (store, words) = (parts[0], parts[1])
    }

    /// The text that is kept.
    package var text: String { store + String(Self.divider) + words }
}
