import MooringConfiguration
import MooringModel
import Testing

@Suite("A PostgreSQL database")
struct PostgresSettingsTests {
    private static func source(_ value: String) -> String {
        Sample.replacing("sqlite: ./app.sqlite", "postgres: \(value)")
    }

    private func settings(
        _ value: String, environment: [String: String] = [:]
    ) throws -> PostgresSettings? {
        let read = try Sample.read(Self.source(value), environment: environment)
        guard case .postgres(let settings) = read.records[0].store else { return nil }
        return settings
    }

    @Test("is an address, or a map with one")
    func keys() throws {
        #expect(
            try settings("postgresql://app@db.example/songs")
                == PostgresSettings(address: "postgresql://app@db.example/songs"))
        #expect(try settings("service=app")?.address == "service=app")
        let full = try settings(
            "{url: postgres://h/d, schema: app, statementTimeout: 10m, lockTimeout: 500ms}")
        #expect(full?.address == "postgres://h/d" && full?.schema == "app")
        #expect(full?.statementTimeout == .seconds(600))
        #expect(full?.lockTimeout == .milliseconds(500))
        #expect(try settings("service=app")?.lockTimeout == .seconds(5))
        #expect(try Sample.read(Self.source("service=app")).records[0].store.kind == "postgres")
    }

    @Test(
        "with a password in the file is refused, and the password is not repeated",
        arguments: [
            "postgresql://app:hush@h/d", "postgresql://app:hu%73h@h:5432/d?sslmode=require",
            "'postgresql://h/d?password=hush'", "'host=h password=hush'",
            "'host=h password = ''hu sh'''", "'postgresql://h/d?user=a&sslpassword=hush'",
            "{url: 'postgresql://app:hush@h/d'}", "'postgresql://app:hu/sh@h/d'",
        ])
    func passwords(value: String) {
        let refusal = Sample.refusal(Self.source(value))
        let words =
            "' holds a password, which must not stand in a file that is shared; use PGPASSWORD, "
            + "a passfile, or a variable such as ${DATABASE_URL}"
        #expect(refusal.hasSuffix(words), "\(refusal)")
        #expect(!refusal.contains("hu"))
    }

    @Test("may take its password, or all of it, from a variable")
    func variables() throws {
        let environment = ["PW": "hush", "DATABASE_URL": "postgresql://app:hush@h/d"]
        #expect(
            try settings("'postgresql://app:${PW}@h/d'", environment: environment)?.address
                == "postgresql://app:hush@h/d")
        #expect(
            try settings("${DATABASE_URL}", environment: environment)?.address
                == "postgresql://app:hush@h/d")
        let broken = Sample.refusal(
            Self.source("${DATABASE_URL}"), environment: ["DATABASE_URL": "hush"])
        #expect(broken.contains("needs a URL such as") && !broken.contains("hush"))
    }

    @Test(
        "that cannot be meant is refused",
        arguments: [
            (
                "app.db",
                "4: 'postgres' needs a URL such as postgresql://USER@HOST/DATABASE, or "
                    + "keywords such as service=app"
            ),
            (
                "{schema: a}",
                "4: 'url' is missing in 'postgres'; "
                    + "write postgresql://USER@HOST/DATABASE"
            ),
            ("{url: service=a, shema: b}", "4: unknown key 'shema'; did you mean 'schema'?"),
            ("{url: service=a, lockTimeout: 0s}", "4: 'lockTimeout' needs a time from 1ms to 7d"),
            (
                "service=a\n    taken: 2026-11-21",
                "5: 'taken' is for copies, and a database is live"
            ),
        ])
    func refusals(value: String, message: String) {
        #expect(Sample.refusal(Self.source(value)) == "mooring.yaml:" + message)
    }

    @Test("is told from another one by where it is, and not by who asks")
    func fingerprints() throws {
        func fingerprint(_ value: String) throws -> String {
            try Sample.read(Self.source(value)).fingerprint
        }
        let own = try fingerprint("postgresql://a@h:5432/d")
        for other in [
            "postgresql://a@h2:5432/d", "postgresql://a@h:5433/d", "postgresql://a@h:5432/e",
            "service=a", "{url: 'postgresql://a@h:5432/d', schema: s}",
        ] {
            #expect(try fingerprint(other) != own, "\(other)")
        }
        #expect(try fingerprint("postgres://b@h:5432/d?connect_timeout=3") == own)
        #expect(
            try fingerprint("{url: 'postgresql://a@h:5432/d', statementTimeout: 1h}") == own)
    }

    @Test("holds nested values, so that a field may be a path")
    func paths() throws {
        let file = Sample.model("files: [{field: 'pages[].image'}]")
            .replacing("sqlite: ./app.sqlite", with: "postgres: service=app")
        #expect(try Sample.read(file).records[0].mapping.models[0].columns == ["id", "pages"])
    }
}
