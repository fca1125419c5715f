/// Reads the `postgres` of a source: an address, or a map that holds one.
struct PostgresReader {
    /// The section of the source.
    let section: Section

    /// The keys of `postgres`, in the order of the documentation.
    static let keys = ["url", "schema", "statementTimeout", "lockTimeout"]

    /// The settings; nil after a problem was reported.
    func read() -> PostgresSettings? {
        if section.has("taken") {
            section.report("'taken' is for copies, and a database is live", at: "taken")
        }
        guard section.isMap("postgres") else {
            return address("postgres", section).map { PostgresSettings(address: $0) }
        }
        guard let own = section.section("postgres", known: Self.keys) else { return nil }
        guard own.has("url") else {
            own.reportMissing("url", "write postgresql://USER@HOST/DATABASE")
            return nil
        }
        guard let address = address("url", own) else { return nil }
        var settings = PostgresSettings(address: address)
        settings.schema = own.has("schema") ? own.filled("schema")?.value : nil
        settings.statementTimeout = timeout("statementTimeout", own)
        settings.lockTimeout = timeout("lockTimeout", own) ?? settings.lockTimeout
        return settings
    }

    private func address(_ key: String, _ own: Section) -> String? {
        guard let text = own.filled(key) else { return nil }
        // What a variable holds stands in no file; what is written here would.
        let written = PostgresAddress(parsing: text.written)?.secrets ?? []
        guard written.allSatisfy({ $0.contains("${") }) else {
            own.context.report(
                "'\(key)' holds a password, which must not stand in a file that is shared; use "
                    + "PGPASSWORD, a passfile, or a variable such as ${DATABASE_URL}",
                line: text.line)
            return nil
        }
        guard !text.value.utf8.contains(0), PostgresAddress(parsing: text.value) != nil else {
            // What stood there is not repeated: it may hold a password.
            own.context.report(
                "'\(key)' needs a URL such as postgresql://USER@HOST/DATABASE, or keywords such "
                    + "as service=app",
                line: text.line)
            return nil
        }
        return text.value
    }

    private func timeout(_ key: String, _ own: Section) -> Duration? {
        guard own.has(key), let timeout = own.duration(key) else { return nil }
        guard timeout >= .milliseconds(1), timeout <= .seconds(7 * 86_400) else {
            own.report("'\(key)' needs a time from 1ms to 7d", at: key)
            return nil
        }
        return timeout
    }
}
