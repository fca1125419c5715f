import ArgumentParser
import Foundation
import Glibc
import MooringModel
import Testing

@testable import MooringCommands

@Suite("Prices of a run")
struct PricesTests {
    private func prices(_ bucket: String, _ more: String = "") throws -> RunSummary.Prices? {
        let path = "/tmp/mooring-prices-\(UUID().uuidString).yaml"
        try """
        version: 1
        records: [{name: app, sqlite: ./app.sqlite, models: [{model: Song}]}]
        buckets: [{name: media, \(bucket)}]
        \(more)
        """.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        return try Session(try CommonOptions.parse(["--config", path])).prices
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
        #expect(own?.storage == 2 && own?.source == "the configuration")
    }
}
