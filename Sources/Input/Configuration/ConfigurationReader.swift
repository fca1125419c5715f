import MooringModel
import Yams
import MooringText

/// Reads the root of a `mooring.yaml`; each section has a file of its own.
struct ConfigurationReader {
    /// Where problems go.
    let context: ReadingContext
    /// The file as it was named.
    let file: String
    /// The file's absolute path.
    let path: String

    private static let keys = [
        "version", "ledger", "engine", "spark", "records", "buckets", "levels", "race", "confirm",
        "repair",
        "limits", "gates", "report", "notify", "prices", "identities",
    ]

    /// The checked value; what could not be read was reported and has its default, and nil stands
    /// for a file without anything to go on with.
    func read(_ node: Node) -> Configuration? {
        guard let root = Section(node, name: "the file", known: nil, context: context),
            readVersion(root)
        else { return nil }
        root.refuseKeys(except: Self.keys)
        let levels = LevelsReader(root: root).read()
        let race = RaceReader.read(root)
        let buckets = BucketsReader(root: root).read()
        let names = KnownNames(levels: levels.map(\.name), buckets: buckets.names)
        let records = RecordsReader(root: root, names: names, race: race).read()
        let report = readReport(root)
        let identities = IdentitiesReader(root: root).read()
        let prices = PricesReader(root: root).read()
        var configuration = Configuration(
            file: file, fingerprint: "",
            ledger: root.path("ledger") ?? beside("mooring.ledger"),
            records: records.sources.map { $0.naming(identities) }, buckets: buckets.buckets,
            levels: levels, race: race.bounds,
            confirm: root.choice("confirm", of: Confirm.self) ?? .auto,
            repair: RepairReader(root: root, known: records.names).read(),
            limits: LimitsReader.read(root), gates: GateReader(root: root).read(), report: report,
            notify: NotifyReader(root: root).read(),
            prices: prices?.prices, guardsOff: [],
            warnings: records.warnings)
        configuration.storageTerms = prices?.terms
        configuration.engine = EngineReader(root: root).engine()
        configuration.spark = EngineReader(root: root).spark()
        PlacementCheck(context: context, file: path, root: root).check(configuration)
        configuration.limits.places = configuration.limitsOfPlaces
        configuration.guardsOff = configuration.keysThatTurnGuardsOff
        configuration.fingerprint = configuration.canonicalDigest
        return configuration
    }

    // A file for another version is not read any further: its other keys may mean other things.
    private func readVersion(_ root: Section) -> Bool {
        guard root.has("version") else {
            root.reportMissing("version", "write 'version: 1' at the top")
            return true
        }
        guard let version = root.count("version") else { return true }
        if version == 1 { return true }
        let what = version > 1 ? "is newer than" : "is not known to"
        root.report(
            "version \(version) \(what) this mooring, which reads version 1", at: "version")
        return false
    }

    private func beside(_ name: String) -> String {
        Paths.absolute(name, from: context.folder)
    }

    private func readReport(_ root: Section) -> ReportConfiguration {
        var report = ReportConfiguration(
            directory: beside("Reports/Runs"), formats: [.json, .html, .text], keep: .days(90))
        guard let section = root.section("report", known: ["directory", "formats", "keep"]) else {
            return report
        }
        report.directory = section.path("directory") ?? report.directory
        report.keep = section.duration("keep") ?? report.keep
        guard let texts = section.texts("formats") else { return report }
        if section.isEmptyList("formats") {
            section.report("'formats' names no format", at: "formats")
        }
        report.formats = []
        for text in texts {
            guard let format = readFormat(text) else { continue }
            if !report.formats.contains(format) { report.formats.append(format) }
        }
        return report
    }

    private func readFormat(_ text: ScalarText) -> ReportFormat? {
        let known = ReportFormat.allCases.map(\.rawValue)
        if let format = ReportFormat(rawValue: text.value) { return format }
        context.report(Nearest.unknown("format", text.shown, among: known), line: text.line)
        return nil
    }
}

extension RecordsConfiguration {
    /// The source with a map of identities, for models whose records name one.
    fileprivate func naming(_ identities: IdentityMap?) -> RecordsConfiguration {
        var source = self
        for index in source.mapping.models.indices
        where source.mapping.models[index].identity != nil {
            source.mapping.models[index].identities = identities
        }
        return source
    }
}

/// The names that other sections may refer to.
struct KnownNames {
    /// The access levels' names.
    let levels: [String]
    /// The buckets' names.
    let buckets: NameList
}
