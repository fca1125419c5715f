import Glibc
import MooringText

/// An app's folder, of which single files are looked for and read within bounds.
///
/// Links are followed only to what lies in the folder too: what a project brings along must not
/// make a person read other files of the machine.
struct ProjectFolder {
    /// What became of a file that was looked for.
    enum Outcome {
        /// Its bytes.
        case content([UInt8])
        /// There is none.
        case absent
        /// It was left alone, for a reason that goes on after the file's name.
        case skipped(String)
    }

    /// The folder as it was named.
    let path: String
    private let root: String

    /// The most entries of a folder that are looked at.
    static let entryLimit = 1_000

    private static let otherFolders: Set<String> = [
        "node_modules", "build", "Pods", "DerivedData", "Carthage", "dist", "vendor", "amplify",
    ]

    /// Whether a folder of this name holds copies of an app's files, or other people's.
    static func isOther(_ name: String) -> Bool { otherFolders.contains(name) }

    /// The folder at a path; throws a refusal unless it is one.
    init(path: String) throws(ProjectError) {
        guard let root = Self.realPath(path), Self.kind(of: root) == S_IFDIR else {
            throw ProjectError(
                what: "'\(path.printablePath)' is no folder that can be read",
                next: "Name the folder of the Amplify project with --amplify.")
        }
        self.path = path
        self.root = root
    }

    /// A file's path as a person would name it from where they stand.
    func named(_ file: String) -> String {
        path == "." || path.isEmpty ? file : path.hasSuffix("/") ? path + file : path + "/" + file
    }

    /// Reads a file of the folder; throws a refusal when it is there and cannot be read, or is over
    /// the limit in bytes.
    func read(
        _ file: String, limit: Int = ProjectParser.sizeLimit
    ) throws(SchemaError) -> Outcome {
        guard let real = Self.realPath(root + "/" + file) else {
            return Self.isLink(root + "/" + file)
                ? .skipped("is a link that leads nowhere") : .absent
        }
        guard isInside(real) else { return .skipped("is a link that leads out of the project") }
        guard Self.kind(of: real) == S_IFREG else { return .skipped("is no file") }
        return .content(
            try SchemaError.bytes(of: real, limit: limit, kind: "project", named: named(file)))
    }

    /// The names in a folder of this folder, by their bytes; none where there is no such folder, or
    /// where it leads out of this one. Hidden names, and those that are no UTF-8, are left out.
    func entries(_ folder: String) -> [String] {
        guard let real = Self.realPath(root + "/" + folder), isInside(real),
            let stream = opendir(real)
        else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < Self.entryLimit, let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard bytes.first != UInt8(ascii: "."),
                let name = String(validating: bytes, as: UTF8.self)
            else { continue }
            names.append(name)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a name of the folder is that of a folder.
    func isFolder(_ name: String) -> Bool {
        Self.realPath(root + "/" + name).map { isInside($0) && Self.kind(of: $0) == S_IFDIR }
            ?? false
    }

    /// Where a file of the app's own may lie: in the folder, in the folders in it, and where
    /// Android keeps its resources.
    func places(of names: [String]) -> [String] {
        let folders = entries("").filter { !Self.isOther($0) && isFolder($0) }
        let resources = "src/main/res/raw/"
        let heads =
            [""] + folders.map { $0 + "/" } + folders.map { $0 + "/" + resources }
            + ["android/app/" + resources, "ios/Runner/"]
        return heads.flatMap { head in names.map { head + $0 } }
    }

    // MARK: The file system

    private func isInside(_ real: String) -> Bool {
        real.utf8.elementsEqual(root.utf8) || root == "/"
            || real.utf8.starts(with: (root + "/").utf8)
    }

    private static func realPath(_ path: String) -> String? {
        guard !path.utf8.contains(0), let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(validatingCString: buffer)
    }

    private static func kind(of path: String) -> mode_t {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : 0
    }

    private static func isLink(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }
}

/// Why a project cannot be drafted from: what was found, and what to do next.
package struct ProjectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found.
    package let what: String
    /// What to do next.
    package let next: String

    /// `what; no configuration was drafted. next`.
    package var description: String { "\(what); no configuration was drafted. \(next)" }
}
