import MooringConfiguration
import Testing

struct PlacementTests {
    private let hint = "; move it, or name it under 'ignore'"

    /// A file `/app/mooring.yaml` with these places.
    private func read(_ places: String, bucket: String) throws -> Configuration {
        try Configuration.parse(
            """
            version: 1
            records: [{name: app, sqlite: /data/app.sqlite, models: [{model: Song}]}]
            buckets:
              - {name: media, \(bucket)}
            \(places)
            """, file: "/app/mooring.yaml", environment: [:])
    }

    private func problems(_ places: String, bucket: String) -> [String] {
        do {
            _ = try read(places, bucket: bucket)
            return []
        } catch let error as ConfigurationError {
            return error.problems.map(\.message)
        } catch {
            return ["another error"]
        }
    }

    @Test("a ledger, report directory, database or the file itself in a bucket is refused")
    func refused() {
        #expect(
            problems("ledger: /files/l", bucket: "directory: /files") == [
                "the ledger lies in bucket 'media' and would be one of its objects ('l')" + hint
            ])
        #expect(
            problems("report: {directory: /files/r}", bucket: "directory: /files") == [
                "the report directory lies in bucket 'media' and would be one of its objects "
                    + "('r/latest')" + hint
            ])
        #expect(
            problems("", bucket: "directory: /data/") == [
                "the file of source 'app' lies in bucket 'media' and would be one of its objects "
                    + "('app.sqlite')" + hint
            ])
        #expect(
            problems("", bucket: "directory: /x/../app").map { $0.prefix(23) } == [
                "the configuration file ", "the ledger lies in buck", "the report directory li",
            ])
        #expect(problems("", bucket: "directory: /").count == 4)
    }

    @Test("what is ignored, outside the prefixes, in the quarantine or elsewhere may stay")
    func accepted() {
        for bucket in [
            "directory: /files, ignore: [l*]", "directory: /files, prefixes: [public/]",
            "directory: /file", "directory: /files/l/deep", "directory: /filesystem",
        ] {
            #expect(problems("ledger: /files/l", bucket: bucket) == [], "\(bucket)")
        }
        #expect(
            problems("ledger: /files/q/l", bucket: "directory: /files, quarantine: q") == [])
        #expect(problems("ledger: /files/l", bucket: "listing: /files") == [])
    }

    @Test("an inventory in a bucket is refused until its parts are ignored too")
    func inventories() {
        let inner = "}\n  - {name: past, inventory: /files/inv/manifest.json"
        for (ignored, key) in [("other", "inv/manifest.json"), ("inv/*.json", "inv/part.csv.gz")] {
            let bucket = "directory: /files, ignore: [\"\(ignored)\"]"
            #expect(
                problems("", bucket: bucket + inner) == [
                    "the file of bucket 'past' lies in bucket 'media' and would be one of its "
                        + "objects ('\(key)')" + hint
                ])
        }
        #expect(problems("", bucket: "directory: /files, ignore: [\"inv/**\"]\(inner)") == [])
    }

    @Test("ignoring the database alone leaves SQLite's files beside it, so it is refused")
    func sidecars() {
        #expect(
            problems("ledger: /files/l", bucket: "directory: /files, ignore: [l]") == [
                "the ledger lies in bucket 'media' and would be one of its objects ('l-wal')" + hint
            ])
    }

    @Test("two buckets with the same objects are refused, unless something keeps them apart")
    func overlappingBuckets() {
        let message =
            "the objects of bucket 'inner' lie in the folder of bucket 'media' too; keep them "
            + "apart by 'prefixes' or 'ignore'"
        for (media, inner, isRefused) in [
            ("directory: /f", "directory: /f", true), ("directory: /f", "directory: /f/in", true),
            ("directory: /f, prefixes: [a/]", "directory: /f, prefixes: [b/]", false),
            ("directory: /f, prefixes: [a/]", "directory: /f, prefixes: [a/b]", true),
            ("directory: /f, prefixes: [a/]", "directory: /f/in", false),
            ("directory: /f, ignore: [\"in/**\"]", "directory: /f/in", false),
            ("directory: /f, ignore: [\"in/*\"]", "directory: /f/in", true),
            ("directory: /f", "directory: /g", false), ("directory: /f", "directory: /ff", false),
        ] {
            let found = problems("", bucket: media + "}\n  - {name: inner, " + inner)
            #expect(found == (isRefused ? [message] : []), "\(media) \(inner)")
        }
    }
}
