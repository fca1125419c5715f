import MooringAWS
package import MooringModel

extension S3Bucket: VersionStore {
    /// Asked for only where the bucket keeps versions; elsewhere there is nothing to see.
    package var versionStore: (any VersionStore)? { self }

    /// Reads the versions of the key: not every store says at HEAD that a marker hides it.
    package func deletion(of key: ObjectKey) async throws -> Deletion? {
        guard try await own.versioning() != .never else { return nil }
        let stack = try await own.stack(of: key)
        guard let top = stack[0], top.isMarker,
            let hidden = stack.entries.first(where: { !$0.isMarker })
        else { return nil }
        return Deletion(
            marker: top.id, at: top.writtenAt, hidden: hidden.version,
            coversMarker: stack[1]?.isMarker == true)
    }

    /// Counts up to ten pages.
    package func versions(of key: ObjectKey, most: Int) async throws -> KeptVersions? {
        guard try await own.versioning() != .never else { return nil }
        return try await own.newest(of: key, most: most)
    }

    /// Removes every marker above the hidden version, the newest last.
    package func undelete(_ key: ObjectKey, _ deletion: Deletion) async throws -> MoveOutcome {
        try refuseLease(key)
        let stack = try await own.stack(of: key)
        guard let top = stack[0] else { return .stale("nothing is kept of the object any more") }
        let hidden = deletion.hidden.versionID
        if top.id == hidden { return .done }
        guard top.isMarker, top.id == deletion.marker else {
            return .stale(top.isMarker ? "another delete marker hides it now" : Self.taken)
        }
        let markers = stack.entries.prefix { $0.isMarker }
        guard stack[markers.count]?.id == hidden else {
            return .stale("another version lies below the delete marker now")
        }
        do {
            for marker in markers.reversed() { try await own.removeVersion(key, marker.id) }
            return try await own.stack(of: key)[0]?.id == hidden ? .done : .stale(Self.taken)
        } catch let error as StoreError {
            throw error.unsettled
        }
    }

    /// Deletes, under a condition where the store keeps it, and looks what the marker hides; one
    /// that hides another version goes again.
    package func deleteAgain(
        _ key: ObjectKey, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        try refuseLease(key)
        let findings = try await trial.findings()
        guard findings.capabilities.concerning(key, version).versioning == .enabled else {
            throw StoreError(
                place: key.text, reason: "the bucket keeps no versions, so that it would be lost",
                isRefusal: true)
        }
        guard let facts = try await own.facts(key) else { return .stale("it is gone already") }
        if let difference = version.difference(to: facts.version) { return .stale(difference) }
        let response = try await own.delete(
            key,
            ifMatch: findings.capabilities.conditionalDelete.isHonoured ? version.etag : nil)
        switch response.status {
        case 200..<300: break
        case 404, 409, 412: return .stale("changed at the last moment")
        default: throw own.refusal(BucketCalls.deletion(key), response)
        }
        do {
            let stack = try await own.stack(of: key)
            guard let marker = response["x-amz-version-id"], let index = stack.index(of: marker)
            else { return .stale("deleted by somebody else meanwhile") }
            if stack[index + 1]?.id == version.versionID { return .done }
            try await own.removeVersion(key, marker)
            return .stale("changed at the last moment")
        } catch let error as StoreError {
            throw error.unsettled
        }
    }

    /// Lists what is not the newest of its key, and every marker; what Mooring holds as a lease or
    /// for its trial is left out.
    package func listOlderVersions(
        within head: [UInt8], _ receive: ([OlderVersion]) async throws -> Void
    ) async throws -> ScanResult {
        let mayHold: Bool
        let from = clock()
        do {
            // That it keeps none is what the bucket says; what it lists is what there is.
            if try await own.versioning() == .never {
                mayHold = try await own.namesVersions(within: head) != nil
            } else {
                mayHold = true
            }
        } catch let error as StoreError {
            return ScanResult(
                window: ScanWindow(from: from, to: clock()),
                problems: [ScanProblem(place: error.place, reason: "\(error)")],
                consistency: "moving", requests: 1)
        }
        guard mayHold else {
            return ScanResult(
                window: ScanWindow(from: from, to: clock()), consistency: "moving", requests: 1)
        }
        let scope = ListingScope(
            prefixes: [head],
            hiddenPrefixes: [ownTrials],
            hiddenKeys: OwnKey.all)
        return try await listing(of: own).versions(scope) { batch in
            if batch.contains(where: Self.isNamed) { own.noteVersions() }
            let older = batch.filter { !$0.isNewest || $0.isMarker }.compactMap(Self.older)
            if !older.isEmpty { try await receive(older) }
        }
    }

    private static func isNamed(_ listed: ListedVersion) -> Bool {
        listed.isMarker || !["", "null"].contains(listed.version.versionID ?? "")
    }

    private static func older(_ listed: ListedVersion) -> OlderVersion? {
        listed.version.versionID.map { id in
            OlderVersion(
                key: listed.key, id: id, size: listed.version.size,
                writtenAt: listed.version.lastModified, isMarker: listed.isMarker,
                isNewest: listed.isNewest)
        }
    }

    /// Removes by id, which can mean nothing else; only where the bucket keeps versions, since
    /// another store would take the object for the version.
    package func remove(_ version: OlderVersion) async throws {
        try refuseLease(version.key)
        guard try await own.versioning() != .never else {
            throw StoreError(
                place: version.key.text, reason: "the bucket keeps no versions", isRefusal: true)
        }
        try await own.removeVersion(version.key, version.id)
    }

    private func refuseLease(_ key: ObjectKey) throws {
        guard !OwnKey.contains(key) else {
            throw StoreError(place: key.text, reason: Self.leaseDoubt, isRefusal: true)
        }
    }
}
