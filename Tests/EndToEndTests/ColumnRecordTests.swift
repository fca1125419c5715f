import Foundation
import Testing

/// Records that nobody but Spark reads.
@Suite("Records in Parquet, seen from outside")
struct ColumnRecordTests {
    private func folder(
        _ engine: String, id: String = "bucket", mounts: String = "{}"
    ) throws -> Folder {
        let folder = try Folder()
        let columns = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "MooringFilesTests/Columns").path
        try FileManager.default.copyItem(
            atPath: columns + "/two.parquet", toPath: folder.path + "/songs.parquet")
        try folder.write("media.csv", "key,size,lastModified\na,1,2020-01-01T00:00:00Z\n")
        try folder.write(
            "mooring.yaml",
            """
            version: 1
            engine: \(engine)
            spark: {submit: /bin/true, mounts: \(mounts)}
            records:
              - name: app
                parquet: ./songs.parquet
                models: [{model: Song, id: \(id), files: [{field: key}]}]
            buckets: [{name: media, listing: ./media.csv}]
            """)
        return folder
    }

    @Test("doctor leaves to Spark what Spark alone reads, and says what it does not")
    func doctor() throws {
        let whole = try folder("spark")
        let read = try Program.run(["doctor"], in: whole.path)
        #expect(read.status == 0, "\(read.told)")
        #expect(read.output.contains("reads records 'app', bucket 'media' by /bin/true"))
        #expect(!read.output.contains("which Spark alone reads"))
        let odd = try folder("spark", id: "none")
        let unread = try Program.run(["doctor"], in: odd.path)
        #expect(unread.status == 2, "\(unread.told)")
        #expect(unread.output.contains("its files have no column 'none'"))
        let other = try folder("native")
        let native = try Program.run(["doctor"], in: other.path)
        #expect(native.status == 2, "\(native.told)")
        #expect(native.output.contains("which Spark alone reads, by 'engine: spark'"))
    }

    @Test("doctor tells of files that Spark has no name for, and of names that nothing has")
    func mounts() throws {
        let folder = try folder(
            "spark", mounts: "{./media.csv: 's3a://app/m.csv', /mnt/x: 's3a://x'}")
        let result = try Program.run(["doctor"], in: folder.path)
        #expect(result.status == 0, "\(result.told)")
        let songs = folder.path + "/songs.parquet"
        #expect(
            result.output.contains(
                "Spark is asked for \(songs) as file://\(songs): it lies in no folder of "
                    + "spark.mounts"), "\(result.told)")
        #expect(!result.output.contains("media.csv as"))
        #expect(
            result.output.contains("nothing that Spark reads or writes lies in /mnt/x, which"))
        let plain = try Program.run(["doctor"], in: try self.folder("spark").path)
        #expect(!plain.output.contains("spark.mounts"))
    }

    @Test("Another engine makes the run incomplete, and calls nothing an orphan")
    func native() throws {
        let folder = try folder("native")
        let result = try Program.run(["audit"], in: folder.path)
        #expect(result.status == 4, "\(result.told)")
        #expect(!result.output.contains("1 orphan"), "\(result.told)")
    }
}
