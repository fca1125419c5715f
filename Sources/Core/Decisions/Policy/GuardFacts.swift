package import MooringModel

/// The numbers that the guards compare, by place.
package struct GuardFacts: Hashable, Sendable {
    /// A record source or a bucket, and whether it was read to its end.
    package struct Side: Hashable, Sendable {
        /// The source or bucket.
        package let place: GuardedPlace
        /// Whether it was read to its end.
        package let isComplete: Bool

        /// A side.
        package init(place: GuardedPlace, isComplete: Bool) {
            self.place = place
            self.isComplete = isComplete
        }
    }

    /// What was listed of a bucket, and what records say of it.
    package struct Bucket: Hashable, Sendable {
        /// The bucket's name.
        package var name: String
        /// Objects listed, ignored ones left out.
        package var objects = 0
        /// Ignored objects that records refer to.
        package var ignoredReferenced = 0
        /// What to compare them with; nil where no earlier run counts.
        package var usual: Int?
        /// Whether somebody accepted that nothing lies there, and nothing did since.
        package var isRetired = false
        /// Objects in quarantine.
        package var held = 0
        /// References that mean the bucket, tombstones left out.
        package var references = 0
        /// Those of them whose object was listed.
        package var listed = 0
        /// Orphans to be removed that lie under identities no record knows.
        package var strangers = 0

        /// A bucket of which nothing is known yet.
        package init(name: String) { self.name = name }
    }

    /// What was read of a file field.
    package struct Field: Hashable, Sendable {
        /// The field, with its source and model.
        package var place: GuardedPlace
        /// References read, those of tombstones too.
        package var references = 0
        /// References whose object was listed.
        package var listed = 0
        /// What to compare the references with; nil where no earlier run counts.
        package var usual: Int?
        /// Records of the model that were read.
        package var rows = 0
        /// The buckets that its references may mean, by name.
        package var buckets: [String] = []

        /// A field of which nothing is known yet.
        package init(place: GuardedPlace) { self.place = place }
    }

    /// The objects that texts of a source protect, and no file field.
    package struct Texts: Hashable, Sendable {
        /// The source's name.
        package let source: String
        /// How many objects these texts protect.
        package let objects: Int
        /// What to compare them with.
        package let usual: Int

        /// Objects that the texts of a source protect.
        package init(source: String, objects: Int, usual: Int) {
            self.source = source
            self.objects = objects
            self.usual = usual
        }
    }

    /// The records of a model without file fields on which others depend.
    package struct Rows: Hashable, Sendable {
        /// The model, with its source.
        package let place: GuardedPlace
        /// How many records there are, tombstones left out.
        package let records: Int
        /// What to compare them with.
        package let usual: Int

        /// Records of a model.
        package init(place: GuardedPlace, records: Int, usual: Int) {
            self.place = place
            self.records = records
            self.usual = usual
        }
    }

    /// A source that earlier runs read beside these buckets, and that is no longer configured, or
    /// fields of it.
    package struct Absence: Hashable, Sendable {
        /// The name of the source, configured or not.
        package let source: String
        /// The references that what is missing held, and the objects that its texts named.
        package let references: Int
        /// Whether the source is configured, and models or fields of it are not any more.
        package let isConfigured: Bool

        /// A source that held so many references.
        package init(source: String, references: Int, isConfigured: Bool = false) {
            self.source = source
            self.references = references
            self.isConfigured = isConfigured
        }
    }

    /// Acts in one place that a share bounds.
    package struct Acts: Hashable, Sendable {
        /// Which share, and where.
        package var share: PlacedShare
        /// Acts that are still to come; only these can be refused.
        package var planned = 0
        /// Acts of the last 24 hours that no acceptance covered and nobody took back.
        package var done = 0
        /// Acts of the last 24 hours that an acceptance covered and nobody took back: they count
        /// against what is accepted again.
        package var accepted = 0
        /// What there is: objects listed, references, or rows read.
        package var total = 0
        /// Whether they would take every row of a model whose store, or whose authority's, was
        /// another one before: no few of them are free then.
        package var takesAllOfMoved = false

        /// Acts of a share.
        package init(share: PlacedShare) { self.share = share }
    }

    /// Both sides, source by source and bucket by bucket.
    package var sides: [Side] = []
    /// What was listed of each bucket.
    package var buckets: [Bucket] = []
    /// What was read of each file field, over all models.
    package var fields: [Field] = []
    /// The sources that were read before, and are not any more.
    package var absent: [Absence] = []
    /// What the texts of each source protect, where an earlier run counts.
    package var texts: [Texts] = []
    /// The records of models without file fields on which others depend, where an earlier run
    /// counts.
    package var rows: [Rows] = []
    /// Orphans found, whatever their verdict: no more can have been lost from texts.
    package var orphans = 0
    /// Acts that are to come and acts that were done, of each share.
    package var acts: [Acts] = []
    /// Steps of the plan or sweep, those that give something back left out.
    package var steps = 0
    /// The bytes of the objects to be removed.
    package var bytesToRemove: Int64 = 0
    /// The clock difference; nil when it was not measured.
    package var clock: Duration?
    /// How far this machine's clock is behind that of the run before; nil where it is not.
    package var behind: Duration?
    /// References by source of the last run of a version that kept none by field; else empty.
    package var earlier: [String: Int] = [:]
    /// The answers of guards that other stages ask, such as the one on mapping errors.
    package var answers: [RunSummary.Guard] = []

    /// Nothing measured.
    package init() {}
}

/// One of the two shares, at a place.
package struct PlacedShare: Hashable, Sendable {
    /// What is taken away.
    package enum Kind: String, Hashable, Sendable {
        /// Objects of a bucket.
        case orphanShare
        /// References of a field, or rows of a model.
        case recordShare
    }

    /// What is taken away.
    package let kind: Kind
    /// The bucket of an orphan share; of a record share, the field or model.
    package let place: GuardedPlace

    /// A share at a place.
    package init(_ kind: Kind, _ place: GuardedPlace) {
        self.kind = kind
        self.place = place
    }
}
