/// What a store does on its own with a bucket's objects, as far as it tells.
package struct StoreSettings: Hashable, Sendable {
    /// An answer of the store, or why there is none.
    package enum Answer<Value: Hashable & Sendable>: Hashable, Sendable {
        case told(Value)
        /// In words: the call that was refused, and the permission that it needs.
        case unknown(String)

        /// What was told; nil where nothing was.
        package var value: Value? {
            guard case .told(let value) = self else { return nil }
            return value
        }
    }

    /// Whether older versions are kept.
    package var versioning: Answer<StoreCapabilities.Versioning>
    /// The rules that expire, move or abort; none where there is no lifecycle.
    package var lifecycle: Answer<[LifecycleRule]>
    /// The same of the quarantine's bucket, where that is another one.
    package var quarantineLifecycle: Answer<[LifecycleRule]>?
    /// What is called when objects come or go.
    package var triggers: Answer<[StoreTrigger]>
    /// Whether versions cannot be removed for some time.
    package var objectLock: Answer<ObjectLock>
    /// Whether a log of every access is written.
    package var accessLog: Answer<AccessLog> = .unknown("nobody asked")

    /// A bucket's settings; of its access log nobody asked yet.
    package init(
        versioning: Answer<StoreCapabilities.Versioning>, lifecycle: Answer<[LifecycleRule]>,
        triggers: Answer<[StoreTrigger]>, objectLock: Answer<ObjectLock>
    ) {
        self.versioning = versioning
        self.lifecycle = lifecycle
        self.triggers = triggers
        self.objectLock = objectLock
    }
}

/// What a bucket's object lock does.
package enum ObjectLock: Hashable, Sendable {
    /// There is none.
    case off
    /// It keeps what asks for that.
    case on
    /// It keeps whatever is written, for a time and in a mode such as `30 days (GOVERNANCE)`.
    case keeping(String)
}

/// Whether a bucket writes a log of every access.
package enum AccessLog: Hashable, Sendable {
    /// It writes none.
    case off
    /// It writes one into a bucket, below a prefix: `s3://BUCKET/PREFIX`.
    case to(String)
}

/// One rule of a bucket's lifecycle.
package struct LifecycleRule: Hashable, Sendable {
    /// The rule's name; empty where it has none.
    package var name: String
    /// Whether it is carried out.
    package var isEnabled: Bool
    /// How the keys begin that it is about; empty where it is about all.
    package var prefix: ObjectKey
    /// Whether tags or sizes narrow it further.
    package var isNarrowed: Bool
    /// Whether it is about what has Mooring's own tag, which nothing in quarantine has.
    package var isOfOwnTag = false
    /// Days after which an object expires; 0 for a fixed date.
    package var expiresAfterDays: Int?
    /// Days after which a version expires that is not the newest any more.
    package var olderVersionsExpireAfterDays: Int?
    /// How many older versions are kept however old they are.
    package var olderVersionsKept: Int?
    /// Days after its beginning at which an open upload is aborted.
    package var abortsUploadsAfterDays: Int?
    /// Days after which an object is moved to an archive, from which it cannot be read at once.
    package var archivesAfterDays: Int?
    /// The storage classes that it moves objects to.
    package var transitions: [Transition] = []

    /// A move of objects to another storage class.
    package struct Transition: Hashable, Sendable {
        /// Days after an object's creation; nil for a fixed date.
        package let days: Int?
        /// The class, by its name in the store's language.
        package let target: String

        /// A move.
        package init(days: Int?, target: String) {
            self.days = days
            self.target = target
        }
    }

    /// A rule that does nothing yet.
    package init(name: String, isEnabled: Bool, prefix: ObjectKey, isNarrowed: Bool = false) {
        self.name = name
        self.isEnabled = isEnabled
        self.prefix = prefix
        self.isNarrowed = isNarrowed
    }
}

extension LifecycleRule {
    /// Whether it removes, before a time has passed, what a delete marker hides below one of these
    /// prefixes. A rule that keeps the newest of the older versions leaves it.
    package func removesHidden(below prefixes: [ObjectKey], within time: Duration) -> Bool {
        guard mayRemove, let limit = olderVersionsExpireAfterDays, (olderVersionsKept ?? 0) < 1
        else { return false }
        return Duration.days(Int64(limit)) < time && prefixes.contains(where: overlaps)
    }

    /// Whether it removes, before a time has passed, what is written below a prefix.
    package func expires(_ prefix: ObjectKey, within time: Duration) -> Bool {
        guard mayRemove, let limit = expiresAfterDays else { return false }
        return Duration.days(Int64(limit)) < time && overlaps(prefix)
    }

    /// Whether it may be about keys that begin so.
    package func overlaps(_ other: ObjectKey) -> Bool {
        prefix.hasPrefix(other.bytes) || other.hasPrefix(prefix.bytes)
    }

    /// Which classes it moves quarantined objects to before a time has passed, or on a date, as
    /// sentences.
    package func moves(within time: Duration) -> [String] {
        transitions.filter { move in
            // As numbers: a time of so many days would end the program.
            move.days.map { Double($0) * 86_400 < Double(time.components.seconds) } ?? true
        }.map { move in
            "\(words) moves what lies in quarantine to \(move.target) "
                + (move.days.map { "after \($0)d" } ?? "on a date of its own")
                + ": what that class asks for comes to this"
        }
    }

    /// The rule as a sentence calls it, with its name where it has one.
    package var words: String {
        name.isEmpty ? "a lifecycle rule" : "the lifecycle rule '\(name)'"
    }

    private var mayRemove: Bool { isEnabled && !isOfOwnTag }
}

/// What a store calls when objects come or go.
package struct StoreTrigger: Hashable, Sendable {
    /// Where the notice goes: a queue's, topic's or function's name, or `EventBridge`.
    package var target: String
    /// Whether it is told of new objects.
    package var onCreation: Bool
    /// Whether it is told of removals.
    package var onRemoval: Bool
    /// The beginning of the keys that it is told of.
    package var prefix: ObjectKey
    /// The end of those keys.
    package var suffix: ObjectKey

    /// A trigger.
    package init(
        target: String, onCreation: Bool, onRemoval: Bool, prefix: ObjectKey, suffix: ObjectKey
    ) {
        self.target = target
        self.onCreation = onCreation
        self.onRemoval = onRemoval
        self.prefix = prefix
        self.suffix = suffix
    }
}

/// A store that tells what it does on its own.
package protocol SettingsStore: Sendable {
    /// The bucket's settings now; each that is not told says why.
    func settings() async -> StoreSettings
}
