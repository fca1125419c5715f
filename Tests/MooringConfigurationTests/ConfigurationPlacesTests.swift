import Foundation
import MooringConfiguration
import MooringModel
import Testing

@Suite("Lines of the configuration")
struct ConfigurationPlacesTests {
    private func record(_ source: String, _ model: String, _ field: String?) -> RecordPlace {
        RecordPlace(
            identity: RecordIdentity(source: source, model: model, id: RecordID("1")),
            field: field)
    }

    @Test("A field stands at its own line; what is not there at the nearest one that holds it")
    func lines() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).yaml"
        let text = """
            version: 1
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
                  - model: Song
                    files:
                      - field: coverArtKey
                  - model: Comment
                    relations: [{field: postID, model: Post}]
              - name: phone
                datastore: ./phone.sqlite
                replicaOf: app
            buckets:
              - directory: ./files
                name: media
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        let places = ConfigurationPlaces.load(path: path)
        #expect(places.file == path, "it lies outside of the working folder")
        func line(_ record: RecordPlace?, _ bucket: String? = nil) -> Int {
            places.line(of: record, bucket: bucket).number
        }
        #expect(line(record("app", "Song", "coverArtKey"), "media") == 8)
        #expect(line(record("app", "Song", "other")) == 6)
        #expect(line(record("app", "Comment", "postID")) == 10)
        #expect(line(record("app", "Other", nil)) == 3)
        #expect(line(record("phone", "Song", "coverArtKey")) == 11)
        #expect(line(record("other", "Song", nil), "media") == 16)
        #expect(line(nil, "other") == 1)
        #expect(places.line(of: nil, bucket: "media").length == 15)
        #expect(places.first == ConfigurationPlaces.Line(number: 1, length: 10))
    }

    @Test("Of a file that is gone only the name is known")
    func gone() {
        let places = ConfigurationPlaces.load(path: "no/such.yaml")
        #expect(places.file == "no/such.yaml")
        #expect(places.line(of: nil, bucket: "media").number == 1)
    }
}
