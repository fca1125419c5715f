import MooringModel

/// Looks whether lifecycle rules remove what lies in quarantine before its time. Of rules that the
/// store does not tell nothing is concluded; `doctor` names them.
struct LifecycleLook: Sendable {
    /// The bucket of the app's objects.
    let own: S3Client
    /// The quarantine's bucket, where that is another one.
    let elsewhere: S3Client?
    /// What belongs to the app.
    let prefixes: [ObjectKey]
    /// How the keys in quarantine begin.
    let quarantine: ObjectKey
    /// How long what lies there has to stay.
    let retention: Duration

    /// Takes from what the store was seen to do what its rules undo: versions that go too early are
    /// as good as none, and so is a quarantine that expires.
    func lower(_ capabilities: inout StoreCapabilities) async {
        guard retention > .zero else { return }
        let rules = await BucketSettings(client: own).lifecycle().value ?? []
        let held: [LifecycleRule]
        if let elsewhere {
            held = await BucketSettings(client: elsewhere).lifecycle().value ?? []
        } else {
            held = rules
        }
        if capabilities.versioning == .enabled,
            let rule = rules.first(where: { $0.removesHidden(below: prefixes, within: retention) })
        {
            capabilities.versioning = .suspended
            capabilities.versionsDoubt =
                "\(rule.words) removes older versions "
                + tooEarly(rule.olderVersionsExpireAfterDays)
        }
        if let rule = held.first(where: { $0.expires(quarantine, within: retention) }) {
            capabilities.quarantineDoubt =
                "\(rule.words) expires what lies in quarantine "
                + tooEarly(rule.expiresAfterDays)
        }
    }

    private func tooEarly(_ days: Int?) -> String {
        "after \(Duration.days(Int64(days ?? 0)).label), before repair.retention "
            + "(\(retention.label)) is over"
    }
}
