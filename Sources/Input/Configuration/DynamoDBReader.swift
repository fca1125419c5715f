import MooringModel
import MooringText

/// Reads the `dynamodb` and `dynamodbExport` of a source.
struct DynamoDBReader {
    /// The section of the source.
    let section: Section

    /// The keys of `dynamodb`, in the order of the documentation.
    static let keys = [
        "region", "endpoint", "profile", "role", "tables", "tablePrefix", "tableSuffix",
        "segments", "readCapacity", "consistent", "caBundle", "versionedTables", "writers",
    ]
    /// The keys of `dynamodbExport`, in the order of the documentation.
    static let exportKeys = [
        "path", "region", "endpoint", "profile", "role", "tablePrefix", "tableSuffix", "caBundle",
        "incremental",
    ]

    /// The settings of live tables; nil after a problem was reported. `models` are those that the
    /// source maps, whose tables have to be among those that are read.
    func read(models: [ModelMapping]) -> DynamoDBSettings? {
        guard let own = section.section("dynamodb", known: Self.keys) else { return nil }
        if section.has("taken") {
            section.report("'taken' is for copies, and a table is live", at: "taken")
        }
        let place = S3Reader(section: section)
        var settings = DynamoDBSettings()
        settings.region = place.word("region", own)
        settings.endpoint = place.endpoint(own)
        settings.profile = own.filled("profile")?.value
        settings.role = RoleReader(section: own).read()
        settings.tablePrefix = namePart("tablePrefix", own)
        settings.tableSuffix = namePart("tableSuffix", own)
        settings.tables = tables(own, models)
        settings.segments = segments(own) ?? settings.segments
        settings.readCapacity = rate(own)
        settings.consistent = own.bool("consistent") ?? false
        settings.caBundle = own.has("caBundle") ? own.path("caBundle") : nil
        settings.writesVersioned =
            own.choice("versionedTables", ["refuse": false, "write": true]) ?? false
        settings.isOnlyWriter =
            own.choice("writers", ["thisRegion": true, "anyRegion": false]) ?? false
        return settings
    }

    /// The settings of an export; nil after a problem was reported.
    func readExport() -> DynamoDBExportSettings? {
        let key = "dynamodbExport"
        guard section.isMap(key) else {
            return place(section, key).map { DynamoDBExportSettings(place: $0) }
        }
        guard let own = section.section(key, known: Self.exportKeys) else { return nil }
        guard own.has("path") else {
            own.reportMissing("path", "write a folder, or s3://BUCKET/PREFIX")
            return nil
        }
        guard let place = place(own, "path") else { return nil }
        let names = S3Reader(section: section)
        var settings = DynamoDBExportSettings(place: place)
        settings.region = names.word("region", own)
        settings.endpoint = names.endpoint(own)
        settings.profile = own.filled("profile")?.value
        settings.role = RoleReader(section: own).read()
        settings.tablePrefix = namePart("tablePrefix", own)
        settings.tableSuffix = namePart("tableSuffix", own)
        settings.caBundle = own.has("caBundle") ? own.path("caBundle") : nil
        settings.appliesChanges =
            own.choice("incremental", ["apply": true, "evidence": false]) ?? false
        return settings
    }

    // The confirm scan reads every table at the cost of its whole size, and with no word about them
    // that would be every table of the account in the region, whoever they belong to.
    private func tables(_ own: Section, _ models: [ModelMapping]) -> [Glob]? {
        guard own.has("tables") else {
            if !["tablePrefix", "tableSuffix"].contains(where: own.has) {
                own.reportMissing(
                    "tables",
                    "nothing says which tables of the account are the app's, and the confirm scan "
                        + "would read every one of the region; write tables: [NAME, …] with names "
                        + "or globs, tablePrefix or tableSuffix, or tables: all for every table")
            }
            return nil
        }
        if own.isWord("all", "tables") { return nil }
        let texts = own.texts("tables", orOne: true) ?? []
        if own.isEmptyList("tables") {
            own.report("'tables' is empty; name at least one table, or write all", at: "tables")
        }
        let globs = texts.compactMap { tables($0, own) }
        // One that could not be read may have been meant for any table.
        guard globs.count == texts.count, !globs.isEmpty else { return nil }
        for model in models where !globs.contains(where: { $0.matches(ObjectKey(model.table)) }) {
            own.report(
                "'tables' leaves out \(model.table.printable), the table of model "
                    + "\(model.model.printable); what is mapped has to be read: add it",
                at: "tables")
        }
        return globs
    }

    private func tables(_ text: ScalarText, _ own: Section) -> Glob? {
        let isPattern = text.value.utf8.allSatisfy {
            Self.isOfName($0) || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?")
        }
        if isPattern, !text.value.isEmpty, text.value.utf8.count <= 255 { return Glob(text.value) }
        own.context.report(
            "'tables' needs names of tables (letters, digits, '-', '.', '_') or globs with '*' "
                + "and '?', without tablePrefix and tableSuffix; found '\(text.shown)'",
            line: text.line)
        return nil
    }

    // What DynamoDB takes in a table's name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private func place(_ own: Section, _ key: String) -> DynamoDBExportSettings.Place? {
        guard let text = own.filled(key) else { return nil }
        guard text.value.hasPrefix("s3://") else {
            return own.path(key).map { .folder($0) }
        }
        let parts = text.value.dropFirst("s3://".count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = parts.first.map(String.init) ?? ""
        guard S3Reader.isBucketName(bucket) else {
            own.context.report(
                "'\(key)' needs s3://BUCKET/PREFIX; found '\(text.shown)'", line: text.line)
            return nil
        }
        return .bucket(bucket, prefix: parts.count > 1 ? String(parts[1]) : "")
    }

    private func namePart(_ key: String, _ own: Section) -> String {
        guard own.has(key), let text = own.filled(key) else { return "" }
        let isPart = text.value.utf8.allSatisfy(Self.isOfName)
        if isPart, text.value.utf8.count <= 255 { return text.value }
        own.context.report(
            "'\(key)' needs a part of a table's name (letters, digits, '-', '.', '_'); found "
                + "'\(text.shown)'",
            line: text.line)
        return ""
    }

    private func segments(_ own: Section) -> Int? {
        guard let count = own.count("segments") else { return nil }
        guard (1...256).contains(count) else {
            own.report("'segments' needs a number from 1 to 256; found \(count)", at: "segments")
            return nil
        }
        return count
    }

    private func rate(_ own: Section) -> Int? {
        guard own.has("readCapacity"), let text = own.filled("readCapacity") else { return nil }
        let digits = text.value.utf8.prefix { (0x30...0x39).contains($0) }
        guard let rate = Int(String(decoding: digits, as: UTF8.self)), rate > 0,
            rate <= 10_000_000, text.value.utf8.dropFirst(digits.count).elementsEqual("/s".utf8)
        else {
            own.context.report(
                "'readCapacity' needs units a second, such as 100/s; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return rate
    }
}
