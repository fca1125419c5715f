/// Where a guard measures: a bucket, or a record source, a model of it, or a field of that model.
package enum GuardedPlace: Hashable, Sendable, Comparable {
    case bucket(String)
    case source(String)
    case model(source: String, model: String)
    case field(source: String, model: String, field: String)

    /// The place as reports and `--accept` write it: `media`, `app`, `app.Song`, `app.Song.cover`.
    package var text: String { parts.joined(separator: ".") }

    /// A place of records without its source's name; nil of one that has no more than that. The
    /// dot in a bucket's name separates nothing.
    package static func short(_ place: String) -> String? {
        place.firstIndex(of: ".").map { String(place[place.index(after: $0)...]) }
    }

    /// The record source; nil of a bucket.
    package var source: String? {
        switch self {
        case .bucket: nil
        case .source(let source), .model(let source, _), .field(let source, _, _): source
        }
    }

    /// The place that holds this one: a field's model, a model's source; nil of the rest.
    package var outer: GuardedPlace? {
        switch self {
        case .bucket, .source: nil
        case .model(let source, _): .source(source)
        case .field(let source, let model, _): .model(source: source, model: model)
        }
    }

    private var parts: [String] {
        switch self {
        case .bucket(let name), .source(let name): [name]
        case .model(let source, let model): [source, model]
        case .field(let source, let model, let field): [source, model, field]
        }
    }

    /// By their texts' bytes, buckets first.
    package static func < (left: GuardedPlace, right: GuardedPlace) -> Bool {
        if (left.source == nil) != (right.source == nil) { return left.source == nil }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
