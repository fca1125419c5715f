import MooringConfiguration
import MooringModel
import Testing

@Suite("Histories and unread tables in the file")
struct TextTablesTests {
    private func refusal(_ line: String) -> String {
        Sample.refusal(
            """
            version: 1
            records:
              - name: app
                sqlite: ./app.sqlite
                \(line)
                models:
                  - {model: Song, table: songs, files: [{field: cover}]}
            buckets: [{name: media, directory: ./media}]
            """)
    }

    @Test(
        "what a model maps as keys is no history, by its table, its column, or a pattern",
        arguments: ["songs", "songs.cover", "so*", "*.cover", "**"])
    func mappedHistory(pattern: String) {
        #expect(
            refusal("notReferences: [versions, \"\(pattern)\"]")
                == "mooring.yaml:5: 'notReferences' covers songs.cover, which model Song "
                + "maps as a file field; take one of them out")
    }

    @Test("a mapped table has to be read", arguments: ["songs", "so*", "**"])
    func mappedUnread(pattern: String) {
        #expect(refusal("unread: [audit, \"\(pattern)\"]").contains("'unread' covers"))
    }

    @Test("so has one in which devices keep what they will write")
    func outbox() {
        for table in OutboxTable.tables {
            #expect(
                refusal("unread: [\(table)]").contains("'unread' covers \(table), where devices"))
        }
    }

    @Test("neither key takes an empty pattern, another form, or another spelling")
    func forms() {
        for key in ["notReferences", "unread"] {
            #expect(
                refusal("\(key): [\"\"]") == "mooring.yaml:5: a pattern of '\(key)' is empty")
            #expect(refusal("\(key): {table: versions}").contains("mooring.yaml:5: '\(key)' needs"))
        }
        #expect(refusal("notReference: [a]").contains("did you mean 'notReferences'?"))
        #expect(refusal("unRead: [a]").contains("did you mean 'unread'?"))
    }

    @Test("a pattern is kept as it is written, and covers its tables and columns alone")
    func kept() throws {
        let read = try Sample.read(
            """
            version: 1
            records:
              - name: app
                sqlite: ./app.sqlite
                notReferences: [versions, "events.*"]
                unread: ["audit_*"]
                models: [{model: Song, files: [{field: cover}]}]
            buckets: [{name: media, directory: ./media}]
            """)
        let source = read.records[0]
        #expect(source.notReferences.map(\.pattern) == ["versions", "events.*"])
        #expect(source.unread.map(\.pattern) == ["audit_*"])
        #expect(source.notReferences[1].matches(ObjectKey("events.payload")))
        #expect(!source.notReferences[1].matches(ObjectKey("events")))
    }
}
