/// What happened to one object or record, as a log of somebody else tells it.
///
/// Texts are as the log has them: whoever shows them makes them printable.
package struct LoggedEvent: Hashable, Sendable {
    /// What sort of log tells it.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// Server access logs of S3.
        case accessLog = "access-log"
        /// Data events of CloudTrail.
        case cloudTrail = "cloudtrail"
        /// Events of S3 as EventBridge hands them on.
        case eventBridge = "eventbridge"
        /// Notifications of S3, as a queue or function gets them.
        case notification
        /// Rows of the journal table of S3 Metadata.
        case metadata = "metadata-journal"
        /// Records of a stream of DynamoDB, as a function gets them.
        case stream
        /// Conflict records in the logs of AppSync.
        case conflict = "conflict-log"
    }

    /// How precisely a log tells who acted.
    package enum ActorPrecision: String, Hashable, Sendable, CaseIterable {
        /// One user of the account.
        case user
        /// A role, which many may have taken.
        case role
        /// An account, or its owner.
        case account
        /// A service of AWS.
        case service
        /// Nobody: it tells none, or a caller without a name.
        case none
    }

    /// What it tells of.
    package enum Subject: Hashable, Sendable {
        /// An object, by the bucket's own name and the key's bytes; nil where it names none, as of
        /// a batch.
        case object(bucket: String, key: [UInt8]?)
        /// A record, by its table's name, empty where none is told, and the texts that its keys
        /// hold; the texts of its images where those are told.
        case record(table: String, texts: [[UInt8]], before: [[UInt8]]?, after: [[UInt8]]?)
    }

    /// When, and how exactly that is known.
    package var time: Instant
    package var precision: Duration
    /// What sort of log it is.
    package var source: Source
    /// What was done, in the log's own word, such as `DeleteObject`.
    package var act: String
    /// What it was done to.
    package var subject: Subject
    /// The object's version that it made or removed.
    package var version: String?
    /// By which logs of one request are joined.
    package var requestID: String?
    /// Who did it, and how precisely that is known.
    package var actor: String?
    package var actorPrecision: ActorPrecision
    /// From where, and with what program.
    package var address: String?
    package var agent: String?
    /// What the log adds that matters here, such as an error or a reason.
    package var remark: String?
    /// Where it stands: the file and the line.
    package var place = ""

    /// An event.
    package init(
        time: Instant, precision: Duration, source: Source, act: String, subject: Subject,
        version: String? = nil, requestID: String? = nil, actor: String? = nil,
        actorPrecision: ActorPrecision = .none
    ) {
        self.time = time
        self.precision = precision
        self.source = source
        self.act = act
        self.subject = subject
        self.version = version
        self.requestID = requestID
        self.actor = actor
        self.actorPrecision = actorPrecision
    }

    /// The bucket's own name; nil of a record.
    package var bucket: String? {
        if case .object(let bucket, _) = subject { return bucket }
        return nil
    }

    /// The object's key; nil where it names none.
    package var key: [UInt8]? {
        if case .object(_, let key) = subject { return key }
        return nil
    }
}

extension LoggedEvent.Source {
    /// What it is called.
    package var words: String {
        switch self {
        case .accessLog: "server access logs"
        case .cloudTrail: "CloudTrail"
        case .eventBridge: "EventBridge"
        case .notification: "S3 notifications"
        case .metadata: "the journal of S3 Metadata"
        case .stream: "a DynamoDB stream"
        case .conflict: "AppSync's conflict logs"
        }
    }

    /// What it means that such a log tells nothing, as the end of a sentence about it.
    package var silence: String {
        switch self {
        case .accessLog:
            "delivery is best effort and hours late, so that its silence proves nothing"
        case .cloudTrail:
            "it tells only what data events were switched on for, names no key of a batch "
                + "deletion, and nothing that lifecycle removed: its silence proves nothing of "
                + "those"
        case .eventBridge:
            "it names an account or a service and no person, and what nobody kept is gone: its "
                + "silence proves nothing"
        case .notification:
            "they come at least once and in any order, as far as somebody kept them: their "
                + "silence proves nothing"
        case .metadata:
            "it comes minutes late, may leave out what was overwritten fast, and tells nobody of "
                + "a permanent deletion: its silence is a clue and no proof"
        case .stream:
            "it tells what changed and never who, and a lost key only with old images: its "
                + "silence proves nothing of times that are not in it"
        case .conflict:
            "they are there only with field-level logging of everything, cut at 1 MB a request: "
                + "their silence proves nothing"
        }
    }
}

extension LoggedEvent {
    /// The event as programs read it; bytes of a key that are no text stand in `keyBase64`.
    package var json: JSONValue {
        .members([
            "time": .moment(time), "precision": .string(precision.label),
            "source": .string(source.rawValue), "act": .string(act), "bucket": .text(bucket),
            "key": key.map { .string(String(decoding: $0, as: UTF8.self)) },
            "keyBase64": key.flatMap { .base64(unlessText: $0) }, "table": .text(table),
            "version": .text(version), "requestId": .text(requestID), "actor": .text(actor),
            "actorPrecision": .string(actorPrecision.rawValue), "ip": .text(address),
            "agent": .text(agent), "remark": .text(remark),
            "completeness": .string(source.silence), "place": .string(place),
        ])
    }

    private var table: String? {
        if case .record(let table, _, _, _) = subject { return table }
        return nil
    }
}
