import Foundation
import MooringSchema
import Testing

/// A schema that lies in several files of a folder, and folders that hold none.
struct SchemaFolderTests {
    private func refusal(_ files: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        var told = "accepted"
        do {
            _ = try AmplifySchema.load(path: folder.path)
        } catch {
            told = "\(error)".replacing(folder.path, with: "FOLDER")
        }
        try FileManager.default.removeItem(at: folder)
        return told
    }

    @Test("a folder without a schema, and one with more than any app needs, are refused by name")
    func refused() throws {
        #expect(
            try refusal(["schema.txt": "type A @model { x: Int }"])
                == "FOLDER: no file in this folder ends in .graphql")
        let comment = "#" + String(repeating: "x", count: 3 << 20)
        #expect(
            try refusal(["a.graphql": comment, "b.graphql": comment])
                == "FOLDER: over 4 MiB of schemas, which no app needs")
    }
}
