import MooringModel
import MooringPipeline
import MooringReporting

// What a bucket keeps of one object, and what can be done with that now.

extension SubjectLook.Object {
    /// When the object that is there was written; nil where none is seen.
    var writtenAt: Instant? {
        guard case .present(let version) = head else { return nil }
        return version.lastModified
    }

    /// What hides the object, what is kept below, and how it would come back; none where its
    /// bucket keeps no versions.
    var versionSentences: [String] {
        if let versionDoubt { return ["its versions could not be read: " + versionDoubt] }
        guard let versions else { return [] }
        return hidden(versions) + replaced(versions) + cut(versions)
    }

    private func hidden(_ versions: KeptVersions) -> [String] {
        guard let marker = versions.hiding.first else { return [] }
        let since =
            "a delete marker hides it since \(marker.writtenAt.iso8601) (version "
            + VisibleText.ascii(marker.id) + ")"
        guard let content = versions.content else {
            let isAll = versions.older == 0 && !versions.isCut
            return [
                since
                    + (isAll
                        ? ", and no version of it is kept: this bucket cannot give it back"
                        : ", and no version is among the newest: list the others by hand")
            ]
        }
        let markers =
            versions.hiding.count == 1
            ? "the marker" : "all \(versions.hiding.count) markers above it"
        let way =
            ": to remove \(markers), and no version, brings back version "
            + "\(VisibleText.ascii(content.id)), \(Measure.bytes(content.size)), as it was"
        let own = held.contains { $0.marker == marker.id }
        return [since + way, own ? Self.byUndo : Self.byRestore]
    }

    private static let byUndo =
        "the marker is that of a quarantine of Mooring's: mooring undo removes it"
    private static let byRestore =
        "Mooring does that where a record references it: by the strategy restore for dangling "
        + "references of the cause deleted; else remove it by its version id "
        + "(s3:DeleteObjectVersion)"

    private func replaced(_ versions: KeptVersions) -> [String] {
        guard versions.newest.first?.isMarker == false,
            let older = versions.newest.dropFirst().first(where: { !$0.isMarker })
        else { return [] }
        return [
            "what it was before is kept: version \(VisibleText.ascii(older.id)) of "
                + "\(older.writtenAt.iso8601), \(Measure.bytes(older.size)); a copy of that "
                + "version onto the key brings it back and keeps what is there now below it, which "
                + "Mooring does not do"
        ]
    }

    private func cut(_ versions: KeptVersions) -> [String] {
        guard versions.older > 0 else { return [] }
        let others =
            versions.isCut
            ? "more than \(versions.older) older ones are"
            : versions.older == 1 ? "1 older one is" : "\(versions.older) older ones are"
        return [
            "the newest \(versions.newest.count) versions and delete markers are told; "
                + others + " left out"
        ]
    }
}

extension Timeline {
    /// Adds when what is kept of an object was written, and what of it lies in quarantine.
    mutating func add(_ object: SubjectLook.Object, in bucket: String) {
        if let versions = object.versions {
            add(versions, quarantined: object.held, in: bucket)
        }
        if case .present(let version) = object.head,
            object.versions?.newest.contains(where: { $0.id == version.versionID }) != true
        {
            add(version, in: bucket)
        }
        add(object.held, in: bucket)
    }
}
