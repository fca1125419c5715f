import Testing

@Suite("A table with two columns of one name in two Unicode forms")
struct EqualColumnTests {
    @Test("is incomplete, whichever of them is mapped", arguments: ["bild\u{E9}", "bilde\u{301}"])
    func incomplete(mapped: String) throws {
        let folder = try Folder()
        try folder.write(
            "app.csv", "id,bild\u{E9},bilde\u{301}\n1,there-111.png,gone-222.png\n")
        try folder.write(
            "media.csv",
            "key,size,lastModified\nthere-111.png,1,2020-01-01T00:00:00Z\n"
                + "Gone-222.png,1,2020-01-01T00:00:00Z\n")
        try folder.write(
            "mooring.yaml",
            """
            version: 1
            confirm: always
            records:
              - name: app
                csv: ./app.csv
                models: [{model: Song, files: [{field: "\(mapped)", level: root}]}]
            buckets: [{name: media, listing: ./media.csv}]
            """)
        let audit = try Program.run(["audit"], in: folder.path)
        #expect(audit.status == 4, "\(audit.told)")
        #expect(audit.told.contains("two columns of 'Song' are called 'bild"), "\(audit.told)")
    }
}
