import Glibc
import MooringModel

/// Finds the key of what a link points to, by the rules of paths, and of what it leads to.
struct LinkResolver {
    private let named: [ArraySlice<UInt8>]
    private let real: [ArraySlice<UInt8>]
    private let neighbours: [(name: String, folder: LinkResolver)]

    /// A resolver for the links in one folder, which may lead into others as well: those of its
    /// own bucket and of the configuration's others, by the buckets' names.
    init(folder: String, all folders: [(name: String, folder: String)] = []) {
        neighbours = folders.map { ($0.name, LinkResolver(folder: $0.folder)) }
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
        let path = real.flatMap { [slash] + $0 } + [slash] + link
        return Self.resolved(path[...]).flatMap { key(of: $0) }
    }

    /// Every place in the folders that a link leads to, the link's own folder given by the path
    /// below this one: as its target is spelt, with the folder of its target resolved, since the
    /// target may be gone, and in the end.
    func places(of target: [UInt8], linkIn folder: some Collection<UInt8>) -> [LinkedPlace] {
        guard !target.isEmpty else { return [] }
        let slash = UInt8(ascii: "/")
        let base = real.flatMap { [slash] + $0 } + [slash] + Array(folder) + [slash]
        let path = target.first == slash ? target : base + target
        var ways = [Self.normalized(path)]
        let cut = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
        let name = path[cut...]
        if !name.isEmpty, !name.elementsEqual([46]), !name.elementsEqual([46, 46]),
            let parent = Self.resolved(path[..<cut])
        {
            ways.append(parent + [name])
        }
        if let end = Self.resolved(path[...]) { ways.append(end) }
        var places: [LinkedPlace] = []
        for way in ways {
            for neighbour in neighbours {
                guard let key = neighbour.folder.key(of: way) else { continue }
                let place = LinkedPlace(bucket: neighbour.name, key: key)
                if !places.contains(place) { places.append(place) }
            }
        }
        return places
    }

    private static func resolved(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let resolved = (Array(path) + [0]).withUnsafeBytes {
            realpath($0.bindMemory(to: CChar.self).baseAddress, nil)
        }
        guard let resolved else { return nil }
        defer { free(resolved) }
        let bytes = UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))
        return normalized(Array(bytes))
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
