import Glibc
import MooringConfiguration

/// Texts that tests change in one place, and short ways to read them.
enum Sample {
    /// The smallest file that is accepted; it has nine lines.
    static let minimal = """
        version: 1
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
        buckets:
          - name: media
            directory: ./files
        """

    /// The smallest file with more lines at its end, of which the first is line 10.
    static func with(_ lines: String) -> String { minimal + "\n" + lines }

    /// The smallest file with one text replaced.
    static func replacing(_ text: String, _ other: String) -> String {
        minimal.replacing(text, with: other)
    }

    /// The smallest file whose model has these keys, which start at line 7.
    static func model(_ keys: String) -> String {
        let lines = keys.split(separator: "\n").map { "        \($0)" }
        return replacing("- model: Song", "- model: Song\n" + lines.joined(separator: "\n"))
    }

    /// The smallest file whose bucket has these keys, which start at line 10.
    static func bucket(_ keys: String) -> String {
        let lines = keys.split(separator: "\n").map { "    \($0)" }
        return minimal + "\n" + lines.joined(separator: "\n")
    }

    /// The checked value of a file `/app/mooring.yaml` that holds this text.
    static func read(
        _ text: String, environment: [String: String] = [:]
    ) throws -> Configuration {
        try Configuration.parse(text, file: "/app/mooring.yaml", environment: environment)
    }

    /// What is printed for a file that is refused; a text without problems when it is not.
    static func refusal(_ text: String, environment: [String: String] = [:]) -> String {
        do {
            _ = try Configuration.parse(text, file: "mooring.yaml", environment: environment)
            return "accepted"
        } catch {
            return error.description
        }
    }
}

/// A new folder that is removed with everything in it when the value goes away.
final class TemporaryFolder {
    /// The folder's absolute path.
    let path: String

    /// A new, empty folder.
    init() throws {
        var name = Array("/tmp/mooring-configuration-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw CannotMakeFolder() }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes a file and gives its path.
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let place = path + "/" + name
        guard let file = fopen(place, "w") else { throw CannotMakeFolder() }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CannotMakeFolder() }
        files.append(place)
        return place
    }

    private var files: [String] = []

    private struct CannotMakeFolder: Error {}

    deinit {
        for file in files { unlink(file) }
        rmdir(path)
    }
}
