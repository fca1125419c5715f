import MooringDecisions
import MooringModel
import MooringReporting

extension EventCollection {
    /// The events for a timeline, each with the file and line that tell it.
    var timeline: [Timeline.Event] {
        events.map { event in
            Timeline.Event(
                at: event.time, event.sentence(of: subject),
                source: "\(event.source.rawValue) " + VisibleText.ascii(event.place))
        }
    }

    /// What is said below a timeline: what was read, what its silence means, and what could not be
    /// read.
    var remarks: [String] {
        var told = sentences
        if dropped > 0 {
            told.append("\(Measure.count(dropped, "older event")) about it left out here")
        }
        if faultCount > 0 {
            told.append("\(Measure.count(faultCount, "line")) of the logs could not be read:")
            told += faults.map { "  " + VisibleText.ascii($0) }
        }
        return told
    }

    /// What was read, as one JSON value.
    var logs: JSONValue {
        .members([
            "read": .array(
                LoggedEvent.Source.allCases.compactMap { source in
                    readings[source].map { reading in
                        .members([
                            "source": .string(source.rawValue), "events": .whole(reading.events),
                            "about": .whole(reading.own), "from": .moment(reading.from),
                            "to": .moment(reading.to), "silence": .string(source.silence),
                        ])
                    }
                }),
            "leftOut": .whole(dropped), "faults": .whole(faultCount),
            "firstFaults": .texts(faults),
        ])
    }
}

extension LoggedEvent {
    // How every signed-in user of an identity pool appears.
    private static let shared = "/CognitoIdentityCredentials"

    /// What happened, without a full stop.
    fileprivate func sentence(of subject: EventSubject) -> String {
        var text = VisibleText.ascii(act)
        if let version { text += " of version " + VisibleText.ascii(version) }
        text += " by " + who
        if let address { text += ", from " + VisibleText.ascii(address) }
        if let agent { text += ", with " + VisibleText.ascii(Array(agent.utf8), width: 80) }
        if let change = subject.change(in: self, { VisibleText.ascii($0) }) {
            text += ": " + change
        }
        return text + (remark.map { "; " + VisibleText.ascii($0) } ?? "")
    }

    private var who: String {
        guard let actor, actorPrecision != .none else {
            return source == .stream ? "nobody that a stream names" : "nobody that is named"
        }
        let shown = VisibleText.ascii(actor)
        switch actorPrecision {
        case .role where actor.hasSuffix(Self.shared):
            return "\(shown) (a role that every user of the identity pool has)"
        default: return "\(shown) (\(actorPrecision.rawValue))"
        }
    }
}
