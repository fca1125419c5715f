import Foundation
import MooringConfiguration
import MooringModel
import Testing

@Suite("A configuration that leaves the machine")
struct ShownConfigurationTests {
    private func shown(_ yaml: String) throws -> String {
        let path = NSTemporaryDirectory() + "shown-\(UUID().uuidString).yaml"
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
        // What stays in the temporary folder changes no result.
        defer { try? FileManager.default.removeItem(atPath: path) }
        return String(decoding: try ShownConfiguration.json(path: path).rendered, as: UTF8.self)
    }

    @Test("Of every setting that may hold a secret, no byte is shown")
    func secrets() throws {
        let text = try shown(
            """
            version: 1
            records:
              - name: app
                postgres: "postgresql://owner:SECRET1@db.example:5432/app?sslpassword=SECRET2"
              - name: words
                postgres: "host=db2.example dbname=app2 user=u password='SECRET3 SECRET4'"
              - name: map
                postgres: {url: "postgres://u:SECRET5@SECRET6/x@h/d", schema: public}
              - name: variable
                postgres: "${DATABASE_URL}"
              - name: api
                appsync:
                  url: https://api.example/graphql
                  auth: apiKey
                  apiKey: SECRET7
                  apiKeyFile: /run/SECRET8
                  tokenFile: /run/SECRET9
                  tokenCommand: "print-token --with SECRET10"
                  profile: SECRET11
                  caBundle: /etc/SECRET12
                  role:
                    arn: "arn:aws:iam::123456789012:role/m"
                    externalId: SECRET13
                    session: SECRET14
              - name: tables
                dynamodb: {region: eu-west-1, profile: SECRET15, accessKey: SECRET16}
            buckets:
              - name: media
                s3: {bucket: store, secretAccessKey: SECRET17, profile: SECRET18}
            spark: {conf: {spark.hadoop.fs.s3a.secret.key: SECRET19}}
            identities: {file: /people/SECRET20.csv}
            password: SECRET21
            x-notes: [SECRET22]
            """)
        #expect(!text.contains("SECRET"), "\(text)")
        #expect(text.contains(#""postgres":"${DATABASE_URL}""#), "\(text)")
        for kept in [
            #""host":"db.example:5432""#, #""dbname":"app2""#, #""schema":"public""#,
            #""url":"https://api.example/graphql""#, #""auth":"apiKey""#,
            #""arn":"arn:aws:iam::123456789012:role/m""#, #""externalId":"(not shown)""#,
            #""tokenCommand":"(not shown)""#, #""bucket":"store""#, #""region":"eu-west-1""#,
        ] {
            #expect(text.contains(kept), "\(kept) in \(text)")
        }
    }

    @Test(
        "A password with what ends a host or a name is not shown",
        arguments: [
            "host=h dbname='d password=SECRET'", "host=h dbname=postgres://u:SECRET@h/d",
            "postgres://app:SECRET?SECRET@db.internal/app", "postgres://app:SECRET@SECRET@db/app",
            "postgres://app:SECRET#SECRET@db:5432/app", "postgres://app:SECRET/SECRET?x@db/app",
            "postgres://app:12/SECRET?x=SECRET@db/app", "postgres://app:SECRET/SECRET",
            "postgres://app:SECRET?x/SECRET@db/app", "postgresql://SECRET:SECRET@/app?host=db",
        ])
    func passwords(address: String) throws {
        let text = try shown(
            """
            records:
              - name: app
                postgres: "\(address)"
            """)
        #expect(!text.contains("SECRET"), "\(text)")
    }

    @Test("Where a database is, is shown although its password has a question mark; so are several")
    func hosts() throws {
        let text = try shown(
            """
            records:
              - postgres: "postgres://app:SECRET?tail@db.internal/app?sslmode=require"
              - postgres: "postgres://one:5432,two:5433,[::1]:5434/both"
              - postgres: "postgres://host=SECRET/both"
            """)
        #expect(text.contains(#""host":"db.internal""#) && text.contains(#""dbname":"app""#))
        #expect(text.contains(#""host":"one:5432,two:5433,[::1]:5434""#), "\(text)")
        #expect(!text.contains("SECRET"), "\(text)")
    }

    @Test("A variable stays its name, and the names of levels are the file's own")
    func variables() throws {
        let text = try shown(
            """
            ledger: "${HOME}/mooring.ledger"
            levels: {mine: "own/{identity}/", nested: {secret: SECRET}}
            buckets: [{name: media, directory: ./files, quarantine: {bucket: q, prefix: p/}}]
            """)
        #expect(text.contains(#""ledger":"${HOME}/mooring.ledger""#))
        #expect(text.contains(#""mine":"own/{identity}/""#))
        #expect(text.contains(#""quarantine":{"bucket":"q","prefix":"p/"}"#))
        #expect(!text.contains("SECRET"))
    }
}
