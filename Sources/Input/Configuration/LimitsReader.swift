import MooringModel

/// Reads `limits`: of the file, and of a bucket, a model or a field.
enum LimitsReader {
    private static let general = [
        "orphanShare", "recordShare", "steps", "bytes", "referenceDrop", "objectDrop",
        "planExpiry",
    ]
    private static let ofBucket = ["orphanShare", "objectDrop"]
    private static let ofRecords = ["recordShare", "referenceDrop"]

    /// The limits of the file, with the defaults where it says nothing.
    static func read(_ root: Section) -> Limits {
        var limits = Limits()
        guard let section = root.section("limits", known: general) else { return limits }
        limits.orphanShare = section.share("orphanShare") ?? limits.orphanShare
        limits.recordShare = section.share("recordShare") ?? limits.recordShare
        limits.steps = section.count("steps") ?? limits.steps
        limits.bytes = section.size("bytes") ?? limits.bytes
        limits.referenceDrop = section.share("referenceDrop") ?? limits.referenceDrop
        limits.objectDrop = section.share("objectDrop") ?? limits.objectDrop
        limits.planExpiry = section.duration("planExpiry") ?? limits.planExpiry
        return limits
    }

    /// The limits of a bucket's entry.
    static func read(bucket entry: Section) -> PlaceLimits { read(entry, known: ofBucket) }

    /// The limits of a model's or a field's entry.
    static func read(records entry: Section) -> PlaceLimits { read(entry, known: ofRecords) }

    private static func read(_ entry: Section, known: [String]) -> PlaceLimits {
        var limits = PlaceLimits()
        guard let section = entry.section("limits", known: known) else { return limits }
        limits.orphanShare = known.contains("orphanShare") ? section.share("orphanShare") : nil
        limits.recordShare = known.contains("recordShare") ? section.share("recordShare") : nil
        limits.referenceDrop =
            known.contains("referenceDrop") ? section.share("referenceDrop") : nil
        limits.objectDrop = known.contains("objectDrop") ? section.share("objectDrop") : nil
        return limits
    }
}

extension Configuration {
    /// The limits of buckets, models and fields by their places.
    var limitsOfPlaces: [GuardedPlace: PlaceLimits] {
        var places: [GuardedPlace: PlaceLimits] = [:]
        for bucket in buckets { places[.bucket(bucket.name)] = bucket.mapping.limits }
        for source in records {
            for model in source.mapping.models {
                let (name, own) = (source.name, model.model)
                places[.model(source: name, model: own)] = model.limits
                for file in model.files {
                    places[.field(source: name, model: own, field: file.field)] = file.limits
                }
            }
        }
        return places.filter { $0.value != PlaceLimits() }
    }
}
