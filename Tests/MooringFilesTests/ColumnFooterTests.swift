import Foundation
import Testing

@testable import MooringFiles

/// What files of columns tell of themselves. Those in `Columns` were written by Apache Arrow, and
/// not by S3.
struct ColumnFooterTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try Array(Data(contentsOf: folder.appending(path: "Columns/" + name)))
    }

    private func footer(_ bytes: [UInt8], _ format: ColumnFormat) throws -> ColumnFooter {
        try sandbox.write(Array("file".utf8), bytes)
        return try ColumnFooter(path: sandbox.path + "/file", format)
    }

    @Test(arguments: [("two.parquet", ColumnFormat.parquet), ("two.orc", .orc)])
    func columnsAndRows(_ name: String, _ format: ColumnFormat) throws {
        let footer = try footer(Self.bytes(name), format)
        #expect(footer.rows == 2)
        #expect(
            footer.columns == [
                "bucket": .text, "key": .text, "size": .integer, "is_latest": .truth,
                "last_modified_date": format == .orc ? .clock : .moment, "images": .texts,
                "price": format == .orc ? .other : .scalar,
            ])
    }

    @Test func typesOfRecords() throws {
        #expect(
            try footer(Self.bytes("records.parquet"), .parquet).columns == [
                "id": .text, "key": .text, "images": .texts, "_version": .integer,
                "_deleted": .truth, "updatedAt": .moment, "local": .clock, "day": .scalar,
                "price": .scalar, "nested": .other,
            ])
    }

    @Test(arguments: [("two.parquet", ColumnFormat.parquet), ("two.orc", .orc)])
    func aFileThatIsCutOffTellsNothing(_ name: String, _ format: ColumnFormat) throws {
        let bytes = try Self.bytes(name)
        for length in 0..<bytes.count {
            #expect(throws: ReadFailure.self, "\(length)") {
                try footer(Array(bytes.prefix(length)), format)
            }
        }
    }

    @Test(arguments: [("two.parquet", ColumnFormat.parquet), ("two.orc", .orc)])
    func oneByteThatIsAnotherEndsNoProgram(_ name: String, _ format: ColumnFormat) throws {
        let bytes = try Self.bytes(name)
        for place in bytes.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] ^= change
                // It may be read or not: what counts is that it comes to an end.
                _ = try? footer(damaged, format)
            }
        }
    }

    @Test func anotherFormatIsTold() throws {
        let (parquet, orc) = (try Self.bytes("two.parquet"), try Self.bytes("two.orc"))
        #expect {
            try footer(orc, .parquet)
        } throws: {
            ($0 as? ReadFailure)?.reason == "is no Parquet file"
        }
        #expect {
            try footer(parquet, .orc)
        } throws: {
            ($0 as? ReadFailure)?.reason == "is no ORC file"
        }
    }

    @Test("Moments of another zone are told, since ORC tells what a clock showed")
    func zone() throws {
        var bytes = try Self.bytes("plain.orc")
        let utc = Array("GMT".utf8)
        let place = try #require(bytes.firstRange(of: utc))
        bytes.replaceSubrange(place, with: Array("CET".utf8))
        #expect {
            try footer(bytes, .orc)
        } throws: {
            ($0 as? ReadFailure)?.reason.contains("time zone 'CET'") == true
        }
    }

    // MARK: What a manifest says

    @Test(
        "Schemas as S3 writes them, in each of its formats",
        arguments: [
            ("CSV", "Bucket, Key, Other"),
            (
                "Parquet",
                "message s3.inventory {  required binary bucket (STRING);  "
                    + "required binary key (STRING);  "
                    + "optional int64 other (TIMESTAMP(MILLIS,true));}"
            ),
            (
                "Parquet",
                "message s3.inventory { required binary bucket (UTF8); "
                    + "required binary key (UTF8); optional int32 other (DECIMAL(3,2)); }"
            ),
            ("ORC", "struct<bucket:string,key:string,other:struct<a:decimal(3,2),b:string>>"),
        ])
    func schemas(_ format: String, _ schema: String) throws {
        let format = try #require(InventoryFormat(name: format))
        let others = format == .csv ? ["Other"] : []
        #expect(try format.columns(schema) == ["Bucket", "Key"] + others)
    }

    @Test("Each column by its name in files of columns")
    func names() throws {
        let schema =
            "struct<e_tag:string,is_multipart_uploaded:boolean,last_modified_date:timestamp,"
            + "size:bigint,is_delete_marker:boolean,is_latest:boolean,version_id:string,"
            + "key:string,bucket:string>"
        #expect(
            try InventoryFormat.columns(.orc).columns(schema) == [
                "ETag", "IsMultipartUploaded", "LastModifiedDate", "Size", "IsDeleteMarker",
                "IsLatest", "VersionId", "Key", "Bucket",
            ])
    }

    @Test(
        "Another form is told",
        arguments: [
            ("Parquet", "Bucket, Key"), ("ORC", "Bucket, Key"), ("ORC", "struct<key:string"),
            ("ORC", "struct<key>"), ("ORC", "struct<key:array<string>"), ("ORC", "struct<>"),
            ("Parquet", "message s3.inventory { optional group key { } }"),
            ("Parquet", "message s3.inventory } {"),
            ("Parquet", "message x { repeated binary key; }"),
        ])
    func odd(_ format: String, _ schema: String) throws {
        let format = try #require(InventoryFormat(name: format))
        #expect(throws: ReadFailure.self) { try format.columns(schema) }
    }
}
