import Glibc

/// Paths as texts: nothing here looks at the file system, so links are not followed.
enum Paths {
    /// The path from the root, without `.`, `..` and empty components; a relative one starts at
    /// the folder, which must be absolute.
    static func absolute(_ path: String, from folder: String) -> String {
        let whole = path.utf8.first == UInt8(ascii: "/") ? path : folder + "/" + path
        var components: [[UInt8]] = []
        for component in split(whole) where component != Array(".".utf8) {
            if component == Array("..".utf8) {
                _ = components.popLast()
            } else {
                components.append(component)
            }
        }
        return join(components)
    }

    /// The path of a place below a folder, seen from there: empty for the folder itself, nil for
    /// a place outside; both must be absolute and clean. Compared byte for byte.
    static func below(_ path: String, _ folder: String) -> [UInt8]? {
        let place = Array(path.utf8)
        let start = Array(folder.utf8)
        if place == start { return [] }
        let head = folder == "/" ? start : start + [UInt8(ascii: "/")]
        return place.starts(with: head) ? Array(place.dropFirst(head.count)) : nil
    }

    /// The folder that a file lies in; the path must be absolute and clean.
    static func folder(of path: String) -> String {
        join(split(path).dropLast())
    }

    /// The components of a path, without empty ones. Split as bytes: as characters, a slash before
    /// a combining mark would be no slash.
    static func split(_ path: String) -> [[UInt8]] {
        Array(path.utf8).split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    private static func join(_ components: [[UInt8]]) -> String {
        "/"
            + String(
                decoding: Array(components.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
    }

    /// The process's working folder; nil when it was removed.
    static func workingFolder() -> String? {
        guard let buffer = getcwd(nil, 0) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }
}

extension Section {
    /// A value that must be the path of a file or folder, made absolute.
    func path(_ key: String) -> String? {
        guard let text = filled(key) else { return nil }
        if text.value.unicodeScalars.contains(where: { $0.value == 0 }) {
            context.report("'\(key)' needs a path; found a NUL in it", line: text.line)
            return nil
        }
        if text.value.hasPrefix("~") {
            context.report(
                "'\(key)': '~' is not read as the home folder; write ${HOME}", line: text.line)
            return nil
        }
        if text.value.contains("://") {
            // The URL is not repeated: it may hold a password.
            context.report("'\(key)' needs the path of a file; found a URL", line: text.line)
            return nil
        }
        return Paths.absolute(text.value, from: context.folder)
    }
}
