package import MooringModel

/// The times that can lie, put right: each belongs to one version of an object or of a record, and
/// is never earlier than it can be proved to be.
package enum EffectiveTime {
    /// The effective birth of an object version: its LastModified; where a multipart upload may
    /// have hidden it until later, the later of that and our first sight of this version; where it
    /// cannot be believed, our first sight, since the object was there by then.
    package static func birth(
        of version: ObjectVersion, firstSight: Instant, believing times: BelievableTimes
    ) -> Instant {
        guard times.contains(version.lastModified) else { return firstSight }
        return version.isMultipart ? max(version.lastModified, firstSight) : version.lastModified
    }

    /// The effective change of a record version: its change time; where devices set that time
    /// themselves, the later of it and our first sight of this version. Nil when the record does
    /// not tell when it changed, or what it tells cannot be believed.
    package static func change(
        _ changed: ChangeTime?, setBy clock: ChangeClock, firstSight: Instant,
        believing times: BelievableTimes
    ) -> Instant? {
        times.moment(of: changed).map { clock == .device ? max($0, firstSight) : $0 }
    }

    /// Since when a record is gone: the effective change of its tombstone; where there is none, or
    /// it does not tell, our first sight of the absence.
    package static func absence(
        tombstone changed: ChangeTime?, setBy clock: ChangeClock, firstSight: Instant,
        believing times: BelievableTimes
    ) -> Instant {
        change(changed, setBy: clock, firstSight: firstSight, believing: times) ?? firstSight
    }
}
