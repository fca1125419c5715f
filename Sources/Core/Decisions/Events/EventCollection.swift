package import MooringModel

/// The events about one subject, and what was read to find them; holds a bounded number. Pure.
package struct EventCollection: Sendable {
    /// What was read of one sort of log.
    package struct Reading: Hashable, Sendable {
        /// Events of the sort, whatever they are about.
        package var events = 0
        /// Those that are about the subject.
        package var own = 0
        /// The times of the first and the last event.
        package var from: Instant
        package var to: Instant
    }

    /// The most events about a subject that are told.
    package static let most = 1_000
    /// The most lines that could not be read and are named.
    package static let mostFaults = 20

    /// The subject.
    package let subject: EventSubject
    /// What was read, by the sort of log.
    package private(set) var readings: [LoggedEvent.Source: Reading] = [:]
    /// The first lines that could not be read, each with its place and why.
    package private(set) var faults: [String] = []
    /// How many lines could not be read.
    package private(set) var faultCount = 0
    private var kept: [LoggedEvent] = []
    private var beside: [String: LoggedEvent] = [:]

    /// A collection for a subject.
    package init(_ subject: EventSubject) {
        self.subject = subject
    }

    /// Takes an event of the first reading.
    package mutating func take(_ event: LoggedEvent) {
        var reading =
            readings[event.source] ?? Reading(from: event.time, to: event.time)
        reading.events += 1
        reading.from = min(reading.from, event.time)
        reading.to = max(reading.to, event.time)
        let isOwn = subject.concerns(event)
        if isOwn { reading.own += 1 }
        readings[event.source] = reading
        guard isOwn else { return }
        kept.append(subject.pared(event))
        // The newest are of use; twice as many are held, so that few are sorted often.
        if kept.count >= 2 * Self.most { kept = newest }
    }

    /// The requests of the events that were kept, whose other logs a second reading looks for.
    package var requests: Set<String> { Set(kept.compactMap(\.requestID)) }

    /// Takes an event of the second reading: one that names no key, and who acted.
    package mutating func join(_ event: LoggedEvent, requests: Set<String>) {
        guard subject.isBeside(event, requests: requests), let id = event.requestID,
            beside.count < Self.most
        else { return }
        beside[id] = event
    }

    /// Takes a line that could not be read.
    package mutating func fault(_ place: String, _ reason: String) {
        faultCount += 1
        if faults.count < Self.mostFaults { faults.append("\(place): \(reason)") }
    }

    /// How many older events about the subject are not told.
    package var dropped: Int { readings.values.reduce(0) { $0 + $1.own } - events.count }

    /// The events about the subject in the order of time, each with who is known to have acted by
    /// another log of the same request.
    package var events: [LoggedEvent] {
        let own = newest
        var best = beside
        for event in own {
            guard let id = event.requestID else { continue }
            let known = best[id].map { Self.rank($0.actorPrecision) } ?? -1
            if Self.rank(event.actorPrecision) > known { best[id] = event }
        }
        return own.map { event in
            guard let other = event.requestID.flatMap({ best[$0] }),
                Self.rank(other.actorPrecision) > Self.rank(event.actorPrecision)
            else { return event }
            return Self.joined(event, other)
        }
    }

    private static func joined(_ event: LoggedEvent, _ other: LoggedEvent) -> LoggedEvent {
        var joined = event
        joined.actor = other.actor
        joined.actorPrecision = other.actorPrecision
        joined.agent = event.agent ?? other.agent
        joined.address = event.address ?? other.address
        let remark = "who acted is told by \(other.place), the same request"
        joined.remark = event.remark.map { $0 + "; " + remark } ?? remark
        return joined
    }

    private var newest: [LoggedEvent] {
        let sorted = kept.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        return sorted.suffix(Self.most).map(\.element)
    }

    private static func rank(_ precision: LoggedEvent.ActorPrecision) -> Int {
        switch precision {
        case .user: 4
        case .role: 3
        case .service: 2
        case .account: 1
        case .none: 0
        }
    }

    /// A sentence for each sort of log: what of it was read, and what its silence means.
    package var sentences: [String] {
        LoggedEvent.Source.allCases.compactMap { source in
            readings[source].map { reading in
                "\(source.words): \(Measure.count(reading.events, "event")) from "
                    + "\(reading.from.iso8601) to \(reading.to.iso8601), \(reading.own) about it; "
                    + source.silence
            }
        }
    }
}
