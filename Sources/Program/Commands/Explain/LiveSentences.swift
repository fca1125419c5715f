import MooringDecisions
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

// What the stores hold now about one object or one record, one sentence for each fact.

extension SubjectLook.Object {
    // Enough for a person to read.
    private static let most = 50

    /// What is said of the object.
    var sentences: [String] {
        var sentences = [head?.sentence].compactMap { $0 }
        sentences += versionSentences
        sentences += held.map {
            "an object of this key lies in quarantine since run " + $0.run.text
        }
        sentences += unlisted.map { "the quarantine was not listed to its end: " + $0.text }
        for reading in readings {
            let identity = reading.identity.map { " of " + VisibleText.ascii($0) } ?? ""
            let level = reading.level.map { "under level \($0)\(identity)" }
            let layout =
                reading.stored.isPlain ? nil : "by " + VisibleText.ascii(reading.stored.text)
            let way = [level, layout].compactMap { $0 }.joined(separator: " ")
            sentences.append(
                "\(way), a record would hold " + VisibleText.ascii(reading.relative))
        }
        for place in search.foreign.prefix(Self.most) {
            sentences.append(
                "\(Self.name(of: place)) names a bucket that is not configured, and may mean this "
                    + "one")
        }
        for text in search.texts.prefix(Self.most) {
            let how = text.isEnd ? "the end of its key" : "its key"
            sentences.append(
                "\(how) stands in \(text.place.field ?? "") of \(Self.name(of: text.place)): that "
                    + "protects it")
        }
        if search.standsInside {
            sentences.append("its key stands inside what a mapped field holds: that protects it")
        }
        for unread in search.unread {
            sentences.append("\(unread.source) was not read to its end: \(unread.problem.text)")
        }
        if search.isEmpty {
            sentences.append(
                "no mapped field references it"
                    + (search.unread.isEmpty ? "" : ", as far as was read"))
        }
        return sentences
    }

    private static func name(of place: RecordPlace) -> String {
        place.identity.model + "/" + VisibleText.ascii(place.identity.id.joined, width: 80)
    }
}

extension SubjectLook.Record {
    /// What is said of the record.
    var sentences: [String] {
        switch self {
        case .unmapped: []
        case .copied(let source):
            ["\(source) is a copy and cannot be asked for one record"]
        case .rows(let rows):
            rows.isEmpty ? ["there is no such record"] : rows.flatMap(\.sentences)
        }
    }
}

extension SubjectLook.Row {
    fileprivate var sentences: [String] {
        let version = reading.version.map { ", version \($0)" } ?? ""
        let changed = reading.changed.map { ", changed \($0.written.iso8601)" } ?? ""
        let state = reading.isTombstone ? "it is marked as deleted" : "it is there"
        return [state + version + changed] + references.flatMap(\.sentences)
            + reading.unusable.map {
                "\(fields[$0.field].field) is no usable key: \($0.reason)"
            }
    }
}

extension SubjectLook.Reference {
    fileprivate var sentences: [String] {
        (isBucketKnown ? [] : ["\(field) names a bucket that is not configured"])
            + places.map { place in
                "\(field) means " + VisibleText.ascii(place.pattern.shown.bytes)
                    + (place.head.map { ": " + $0.sentence } ?? "")
            }
    }
}

extension HeadAnswer {
    /// What a look found, as one sentence.
    var sentence: String {
        switch self {
        case .present(let version):
            "there, \(Measure.bytes(version.size)), last modified \(version.lastModified.iso8601)"
        case .absent: "no such object"
        case .unknown(let reason): "not known: \(reason)"
        }
    }
}
