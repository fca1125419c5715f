import ArgumentParser
import Foundation
import Glibc
import MooringModel
import Testing

@testable import MooringCommands

@Suite("Prices of a run")
struct PricesTests {
    @Test("Classes that the file names count where nothing else costs anything")
    func classes() throws {
        let free = "prices: {storage: 0, requests: 0"
        let named = free + ", classes: {DEEP_ARCHIVE: {storage: 1}}}"
        #expect(try session("directory: ./files", free + "}") { $0.storageTerms } == nil)
        let terms = try session("directory: ./files", named) { $0.storageTerms }
        #expect(terms?.classes["DEEP_ARCHIVE"]?.storage == 1)
        #expect(terms?.classes["STANDARD"]?.storage == 0)
        #expect(try session("directory: ./files", named) { $0.prices } == nil)
    }

    private func prices(_ bucket: String, _ more: String = "") throws -> RunSummary.Prices? {
        try session(bucket, more) { $0.prices }
    }

    private func session<Answer>(
        _ bucket: String, _ more: String, _ ask: (Session) -> Answer
    ) throws -> Answer {
        let path = "/tmp/mooring-prices-\(UUID().uuidString).yaml"
        try """
        version: 1
        records: [{name: app, sqlite: ./app.sqlite, models: [{model: Song}]}]
        buckets: [{name: media, \(bucket)}]
        \(more)
        """.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        return ask(try Session(try CommonOptions.parse(["--config", path])))
    }

    @Test("They are AWS's where every bucket is one of AWS, and the file's where it says so")
    func chosen() throws {
        #expect(try prices("directory: ./files") == nil)
        #expect(try prices("s3: {bucket: b, region: eu-west-1}") == .standard)
        #expect(try prices("s3: {bucket: b, endpoint: 'http://minio:9000'}") == nil)
        #expect(
            try prices("s3: {bucket: b, endpoint: 'https://s3.eu-west-1.amazonaws.com'}")
                == .standard)
        let free = "prices: {storage: 0, requests: 0}"
        #expect(try prices("s3: {bucket: b, region: eu-west-1}", free) == nil)
        let own = try prices("directory: ./files", "prices: {storage: 2}")
        #expect(own?.storage == 2 && own?.requests == 0.005)
        #expect(try prices("inventory: ./manifest.json") == nil, "nobody knows whose it is")
        let beside = "s3: {bucket: b, region: eu-west-1}, inventory: ./manifest.json"
        #expect(try prices(beside) == .standard)
    }
}
