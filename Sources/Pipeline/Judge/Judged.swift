import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

/// What was judged: the border between judge and guards.
struct Judged {
    /// What both sides left after pass B.
    private(set) var confirmed: Confirmed
    /// In report order.
    var findings: [Finding] = []
    /// The version judged of each finding that counts as seen; nil is that of its object.
    private(set) var sightings: [(findingID: String, token: String?)] = []
    /// What lies in quarantine, and who needs it.
    var watched: [Watched] = []
    /// How many findings are kept for what a store lacks, by the sentence that says so.
    private(set) var lacks: [String: Int] = [:]
    /// What the findings say of the run itself.
    var words = RunWords()
    /// What the guard on mapping errors says; nil before it was asked.
    var mapping: RunSummary.Guard?

    private var texts = SharedTexts()

    /// Nothing yet, of what was confirmed.
    init(confirmed: Confirmed) {
        self.confirmed = confirmed
        findings.reserveCapacity(
            confirmed.orphans.count + confirmed.references.count
                + confirmed.candidates.join.sharedCount)
    }

    /// Adds a finding; one that is settled counts as a sighting of this version, and so does one
    /// whose reference may be made to mean another object, whatever is in doubt about it.
    mutating func add(_ finding: Finding, seenAs token: String) {
        let isOwn = finding.object?.token == token
        if finding.verdict == .settled || finding.target != nil {
            sightings.append((finding.id, isOwn ? nil : token))
        }
        findings.append(finding)
        texts.share(&findings[findings.count - 1].evidence)
    }

    /// Counts a finding that is kept for what a store lacks; nil says that it lacks nothing.
    mutating func note(lack: String?) {
        if let lack { lacks[lack, default: 0] += 1 }
    }

    /// Marks every finding where a side was not read to its end. Judging asks scratch too, as do
    /// the mapping stage and the measures of guards: what it did not answer one of them makes less
    /// be found, so that this comes behind the last question, and before anything is counted.
    mutating func markIncomplete(_ job: Job) {
        confirmed.candidates.observations.noteScratch(job)
        let sides = confirmed.candidates.observations.incompleteSides
        guard !sides.isEmpty else { return }
        for index in findings.indices { findings[index].mark(incomplete: sides) }
    }
}

/// Sentences that many findings have in common: each is held once, or few times.
struct SharedTexts {
    // Those with a time or a key in them may be as many as there are findings: each takes the place
    // of another one, and one that comes again and again is soon back.
    private static let most = 4_096

    private var known = Array(repeating: "", count: most)

    // By bytes: a sentence may name a key, of which two Unicode forms are two.
    private static func areSame(_ one: String.UTF8View, _ other: String.UTF8View) -> Bool {
        let isSame = one.withContiguousStorageIfAvailable { one -> Bool? in
            other.withContiguousStorageIfAvailable { ByteWord.areSame(one, $0) }
        }
        return (isSame ?? nil) ?? one.elementsEqual(other)
    }

    /// Replaces texts by equal ones that are held already.
    mutating func share(_ texts: inout [String]) {
        for place in texts.indices {
            let slot = Int(UInt(bitPattern: texts[place].hashValue) % UInt(Self.most))
            if Self.areSame(known[slot].utf8, texts[place].utf8) {
                texts[place] = known[slot]
            } else {
                known[slot] = texts[place]
            }
        }
    }
}

/// An object in quarantine, and what a run saw of it.
struct Watched {
    /// The bucket's name.
    let bucket: String
    /// The object, under the key that it had.
    let object: QuarantinedObject
    /// The records that its key names as owners.
    let owners: [PossibleOwner]
    /// Whether anything references it, and means it.
    let isReferenced: Bool
    /// Whether records reference its key, and mean the object that is there again.
    let livesAgain: Bool
    /// Whether what says what was still names it.
    let isRemembered: Bool
    /// Why it stays though nothing references it; nil where nothing keeps it.
    let doubt: String?
}
