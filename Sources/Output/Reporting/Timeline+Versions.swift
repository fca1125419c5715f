package import MooringModel

extension Timeline {
    /// Adds the versions and delete markers that a bucket keeps of an object. `held` is what lies
    /// in quarantine of it: by that a marker of Mooring's own is known.
    package mutating func add(
        _ versions: KeptVersions, quarantined held: [QuarantinedObject], in bucket: String
    ) {
        // Of one second the older was listed behind the newer.
        add(
            versions.newest.enumerated().reversed().map { place, version in
                let text =
                    version.isMarker
                    ? Self.marker(version, isTop: place == 0, held)
                    : Self.written(version, isTop: place == 0)
                return Event(
                    at: version.writtenAt, text, source: "versions of bucket \(bucket)")
            })
    }

    /// Adds what lies in quarantine in the place of a copy; what a marker hides is a version.
    package mutating func add(_ held: [QuarantinedObject], in bucket: String) {
        add(
            held.filter { $0.version.versionID == nil }.map { object in
                Event(
                    at: object.version.lastModified,
                    "what lies in quarantine was written, \(Measure.bytes(object.version.size))",
                    source: "quarantine of \(bucket), run \(object.run.text)")
            })
    }

    private static func written(_ version: KeptVersion, isTop: Bool) -> String {
        var text = "version \(VisibleText.ascii(version.id)) written"
        if version.version.isMultipart { text += " in parts, which began then" }
        text += ", \(Measure.bytes(version.size)), ETag \(VisibleText.ascii(version.etag))"
        if version.isNull { text += "; from before versions were kept, or while they were not" }
        return text + (isTop ? "; the current one" : "")
    }

    private static func marker(
        _ version: KeptVersion, isTop: Bool, _ held: [QuarantinedObject]
    ) -> String {
        var text = "delete marker put (version \(VisibleText.ascii(version.id)))"
        if let own = held.first(where: { $0.marker == version.id }) {
            text += " by the quarantine of run \(own.run.text)"
        }
        return text + (isTop ? "; it hides the object now" : "")
    }
}
