import Crypto
import Foundation
import MooringModel
import Testing

@testable import MooringDynamoDB

/// An export in a temporary folder, in the form in which DynamoDB writes one; removed with it.
final class WrittenExport {
    let folder: URL
    private var store: ExportFolder { ExportFolder(folder.path) }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // What is left behind lies in a temporary folder.
    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Which export, and what stands in its summary.
    struct Form {
        var table = "Song"
        var id = "01-a"
        var time = "2026-11-20T10:00:00.000Z"
        var isIncremental = false
        var from = "2026-11-19T00:00:00Z"
        var view: String? = "NEW_AND_OLD_IMAGES"
        var tableID = "t-1"
        var isPacked = true
        var sumsText = false
    }

    /// Writes an export; each part is the lines of a file.
    func write(_ parts: [[String]], _ form: Form = Form()) throws {
        let home = "AWSDynamoDB/\(form.id)"
        let data = form.isIncremental ? "AWSDynamoDB/data" : home + "/data"
        var files = ""
        for (number, lines) in parts.enumerated() {
            let name = "\(data)/\(form.id)-\(number).json" + (form.isPacked ? ".gz" : "")
            let text = Data(lines.map { $0 + "\n" }.joined().utf8)
            let bytes = form.isPacked ? try Self.packed(text) : text
            try put(name, bytes)
            files +=
                #"{"itemCount":\#(lines.count),"md5Checksum":"#
                + #""\#(Self.sum(form.sumsText ? text : bytes))","etag":"x-1","#
                + #""dataFileS3Key":"\#(name)"}"#
                + "\n"
        }
        try putSummed(home + "/manifest-files", Data(files.utf8))
        let times =
            form.isIncremental
            ? #""exportFromTime":"\#(form.from)","exportToTime":"\#(form.time)""#
            : #""exportTime":"\#(form.time)""#
        let kind = form.isIncremental ? "INCREMENTAL_EXPORT" : "FULL_EXPORT"
        let summary =
            #"{"version":"2020-06-30","tableArn":"arn:aws:dynamodb:eu-west-1:123456789012:table/"#
            + #"\#(form.table)","manifestFilesS3Key":"\#(home)/manifest-files.json",\#(times),"#
            + #""itemCount":\#(parts.joined().count),"outputFormat":"DYNAMODB_JSON","#
            + (form.view.map { #""outputView":"\#($0)","# } ?? "")
            + #""tableId":"\#(form.tableID)","#
            + #""exportType":"\#(kind)"}"#
        try putSummed(home + "/manifest-summary", Data(summary.utf8))
        try put(home + "/_started", Data())
    }

    /// Writes a file, and the folders above it.
    func put(_ path: String, _ bytes: Data) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    /// Changes a file's bytes.
    func spoil(_ path: String, _ change: (inout Data) -> Void) throws {
        let file = folder.appending(path: path)
        var bytes = try Data(contentsOf: file)
        change(&bytes)
        try bytes.write(to: file)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: folder.appending(path: path))
    }

    /// The source on it.
    func source(
        _ names: TableNames = TableNames(), applyingChanges: Bool = false
    ) -> DynamoDBExportSource {
        DynamoDBExportSource(
            name: "app", store: store, names: names,
            applyingChangesIn: applyingChanges ? folder.path : nil)
    }

    private func putSummed(_ stem: String, _ bytes: Data) throws {
        try put(stem + ".json", bytes)
        try put(stem + ".checksum", Data(Self.sum(bytes).utf8))
    }

    private static func sum(_ bytes: Data) -> String {
        Data(Insecure.MD5.hash(data: bytes)).base64EncodedString()
    }

    // The system's own gzip, so that a fault of the reader's zlib does not hide itself.
    private static func packed(_ text: Data) throws -> Data {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/gzip")
        process.arguments = ["-c"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        Thread.detachNewThread {
            // A process that ended early reads no more; its output tells.
            try? input.fileHandleForWriting.write(contentsOf: text)
            // As above.
            try? input.fileHandleForWriting.close()
        }
        let packed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return packed
    }
}
