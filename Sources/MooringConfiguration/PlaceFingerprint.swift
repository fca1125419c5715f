package import MooringModel

extension Configuration {
    /// SHA-256 over what decides how much is counted in a place: its store, and which rows, values
    /// or objects of it are looked at. What else the configuration says moves no baseline.
    package func fingerprint(of place: Place) -> String {
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
        _ place: Place, of source: RecordsConfiguration, to text: inout CanonicalText
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
