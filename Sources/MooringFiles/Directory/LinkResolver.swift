import Glibc
import MooringModel

/// Finds the key of what a link points to, by the rules of paths alone and without a look at it.
struct LinkResolver {
    private let named: [ArraySlice<UInt8>]
    private let real: [ArraySlice<UInt8>]

    /// A resolver for the links in one folder.
    init(folder: String) {
        let path = Array(folder.utf8)
        let base = path.first == UInt8(ascii: "/") ? [] : Self.workingFolder + [UInt8(ascii: "/")]
        named = Self.normalized(base + path)
        if let resolved = realpath(folder, nil) {
            real = Self.normalized(Array(String(cString: resolved).utf8))
            free(resolved)
        } else {
            real = named
        }
    }

    /// The key that a link's target has, when the target lies in the folder; else nil.
    ///
    /// The target may be a folder, or not exist, or be reached through another link.
    func key(of target: [UInt8], linkIn folder: some Collection<UInt8>) -> ObjectKey? {
        guard !target.isEmpty else { return nil }
        let parts: [ArraySlice<UInt8>]
        if target.first == UInt8(ascii: "/") {
            parts = Self.normalized(target)
        } else {
            let slash = UInt8(ascii: "/")
            let base = real.flatMap { [slash] + $0 } + [slash] + Array(folder) + [slash]
            parts = Self.normalized(base + target)
        }
        return key(of: parts)
    }

    /// The key of what the link with this key leads to in the end, through whatever other links;
    /// nil where that does not lie in the folder, or cannot be told.
    func end(_ link: [UInt8]) -> ObjectKey? {
        let slash = UInt8(ascii: "/")
        let path = real.flatMap { [slash] + $0 } + [slash] + link + [0]
        let resolved = path.withUnsafeBytes {
            realpath($0.bindMemory(to: CChar.self).baseAddress, nil)
        }
        guard let resolved else { return nil }
        defer { free(resolved) }
        let bytes = UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))
        return key(of: Self.normalized(Array(bytes)))
    }

    /// Where else the folder lies that is mounted at a path.
    func origin(ofMountAt path: [UInt8]) -> MountTable.Origin {
        let bucket = real.flatMap { [UInt8(ascii: "/")] + $0 }
        return MountTable.own().origin(of: bucket + [UInt8(ascii: "/")] + path, inBucketAt: bucket)
    }

    private func key(of parts: [ArraySlice<UInt8>]) -> ObjectKey? {
        for root in [real, named] where parts.count > root.count && parts.starts(with: root) {
            return ObjectKey(Array(parts[root.count...].joined(separator: [UInt8(ascii: "/")])))
        }
        return nil
    }

    private static var workingFolder: [UInt8] {
        guard let path = getcwd(nil, 0) else { return [] }
        defer { free(path) }
        return Array(String(cString: path).utf8)
    }

    private static func normalized(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        for part in path.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual([46]) { continue }
            if part.elementsEqual([46, 46]) {
                // "/.." is "/".
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return parts
    }
}
