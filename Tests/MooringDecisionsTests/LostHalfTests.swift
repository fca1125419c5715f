import MooringDecisions
import MooringModel
import Testing

@Suite("Halves of an app")
struct LostHalfTests {
    private func sentence(
        _ tables: [StorePresence], _ bucket: StorePresence
    ) -> String? {
        LostHalf(
            source: "app",
            tables: Dictionary(
                uniqueKeysWithValues: tables.enumerated().map { ("T\($0.offset)", $0.element) }),
            bucket: "media", storeName: "app-media", presence: bucket
        ).sentence
    }

    @Test("one half is told only where the other's absence is certain")
    func told() throws {
        let noBucket = try #require(sentence([.there, .gone], .gone))
        #expect(noBucket.contains("the tables of app are there ('T0')"), "\(noBucket)")
        #expect(noBucket.contains("bucket media (app-media) is not"))
        let noTables = try #require(sentence([.gone, .gone], .there))
        #expect(noTables.contains("no mapped table of app is there ('T0', 'T1')"), "\(noTables)")
        #expect(noTables.contains("other sources or tables may still need its files"))
        #expect(!noTables.contains("remove") && !noBucket.contains("remove"))
        #expect(sentence([.gone], .gone)?.hasPrefix("both are gone") == true)
        for (tables, bucket) in [
            ([.there], .there), ([.there, .gone], .there), ([.gone], .unknown("403")),
            ([.unknown("403")], .gone), ([.gone, .unknown("403")], .there), ([], .there),
            ([.gone, .unknown("403")], .gone),
        ] as [([StorePresence], StorePresence)] {
            #expect(sentence(tables, bucket) == nil, "\(tables) \(bucket)")
        }
    }

    private static let api = "abcdefghijklmnopqrstuvwxyz"

    private func environments(
        _ bucket: String = "photos12345-dev", prefix: String = "",
        suffix: String = "-\(api)-dev"
    ) -> AmplifyEnvironments? {
        AmplifyEnvironments(bucket: bucket, tablePrefix: prefix, tableSuffix: suffix)
    }

    @Test("names that are not Amplify's, or of two environments, tell nothing")
    func names() {
        #expect(environments()?.own == "dev")
        #expect(environments("photos-dev") != nil)
        for bucket in ["photos", "photos12345-test", "12345-dev", "-dev", "photos12345dev"] {
            #expect(environments(bucket) == nil, "\(bucket)")
        }
        for suffix in ["", "-dev", "-short-dev", "\(Self.api)-dev", "-\(Self.api)-DEV", "-a-b-dev"]
        {
            #expect(environments(suffix: suffix) == nil, "\(suffix)")
        }
    }

    @Test("each environment's tables and buckets are found by their names, and nobody else's")
    func siblings() throws {
        let own = try #require(environments(prefix: "p_"))
        let found = own.halves(
            of: ["Song", "SongTag"],
            tables: [
                "p_Song-\(Self.api)-dev", "p_SongTag-\(Self.api)-dev", "p_Song-\(Self.api)-old",
                "p_Other-\(Self.api)-x1", "Song-\(Self.api)-x2", "p_Song-\(Self.api)-x3-more",
                "p_Song-\(Self.api)-prod",
            ],
            buckets: [
                "photos12345-dev", "photos678-prod", "photos-test", "photosx12345-x4",
                "other12345-x5", "photos12345-UP", "photos12345-", "photos",
            ])
        #expect(found.keys.sorted() == ["dev", "old", "prod", "test"])
        #expect(found["dev"]?.tables == ["Song", "SongTag"] && found["dev"]?.isHalf == false)
        #expect(found["old"]?.isHalf == true && found["test"]?.buckets == ["photos-test"])
        #expect(
            own.sentence(found, models: 2)
                == "beside dev, by their names in this account and region: old has tables (1 of 2 "
                + "mapped) and no bucket; test has a bucket (photos-test) and no tables; 1 with "
                + "both. Nothing is done about them")
        #expect(
            own.sentence(found.filter { $0.key == "dev" }, models: 2)
                .hasPrefix("no other environment beside dev"))
    }
}
