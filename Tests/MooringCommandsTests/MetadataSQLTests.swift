import MooringModel
import Testing

@testable import MooringCommands

/// The SQL that is printed for inventory tables of S3 Metadata.
struct MetadataSQLTests {
    private func sql(
        _ bucket: String, namespace: String? = nil, _ prefixes: [ObjectKey] = [ObjectKey("")]
    ) throws -> MetadataSQL {
        try MetadataSQL(bucket: bucket, namespace: namespace, prefixes: prefixes)
    }

    @Test func theNamespaceIsThatOfTheBucket() throws {
        #expect(
            try sql("my.app-media").listing.contains(
                "FROM \"s3tablescatalog/aws-s3\".\"b_my_app-media\".\"inventory\"\n"))
        #expect(try sql("Old_One", namespace: "b_old\"x").moment.contains(".\"b_old\"\"x\"."))
        for name in ["Old", "old_one", String(repeating: "x", count: 64), "é"] {
            #expect(throws: CommandError.self) { try sql(name) }
        }
    }

    @Test func onlyThePrefixesAreListed() throws {
        #expect(!(try sql("media").listing.contains("starts_with")))
        #expect(
            try sql("media", [ObjectKey("a/"), ObjectKey("")]).listing.contains("starts_with")
                == false)
        let both = try sql("media", [ObjectKey("it's/"), ObjectKey("é")])
        for text in [both.listing, both.moment] {
            #expect(
                text.contains(
                    """
                    WHERE bucket = 'media'
                      AND (starts_with(key, 'it''s/')
                        OR starts_with(key, from_utf8(X'c3a9')))
                    GROUP BY key
                    """))
        }
        #expect(throws: CommandError.self) { try sql("media", [ObjectKey([0xff])]) }
    }

    @Test func aBucketsNameIsAText() throws {
        #expect(try sql("m", namespace: "b\"\u{301}").listing.contains(".\"b\"\"\u{301}\"."))
        #expect(try sql("it's", namespace: "b").listing.contains("WHERE bucket = 'it''s'\n"))
    }
}
