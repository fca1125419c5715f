import Glibc

/// Where the files of an inventory lie on this machine: as in its bucket, or copied flat.
struct InventoryPlaces {
    /// The path of the file that holds the manifest's MD5; it need not be there.
    let checksum: String
    private let isAbsolute: Bool
    // The folders above the manifest, from the top.
    private let folder: [Substring]

    /// The places around a manifest.
    init(manifest: String) {
        let stem = manifest.hasSuffix(".json") ? String(manifest.dropLast(5)) : manifest
        checksum = stem + ".checksum"
        isAbsolute = manifest.hasPrefix("/")
        folder = manifest.split(separator: "/").dropLast()
    }

    /// The last name of a path.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Where a part lies. What its product writes beside the manifest lies there; anything else
    /// where its key says, below the root of a copy of the bucket, or, by the last name of its key,
    /// beside the manifest, in `data` there, or in `data` beside the manifest's folder. Nil where
    /// it lies in none of them. Throws `ReadFailure` where one of them cannot be looked at.
    func path(of part: InventoryPart) throws(ReadFailure) -> String? {
        let names = part.key.split(separator: "/")
        guard let name = names.last else { return nil }
        if part.isBeside {
            let place = path(folder[...], [name])
            return try isThere(place) ? place : nil
        }
        var places = roots(of: names.dropLast()).map { path($0, names) }
        places += [path(folder[...], [name]), path(folder[...], ["data", name])]
        if !folder.isEmpty { places.append(path(folder.dropLast(), ["data", name])) }
        for place in places {
            if try isThere(place) { return place }
        }
        return nil
    }

    // S3 writes the manifest to CONFIG/TIME/manifest.json and the parts to CONFIG/data/, or, as it
    // did once, to CONFIG/ itself. The root is where the names of CONFIG fit both.
    private func roots(of keyFolder: ArraySlice<Substring>) -> [ArraySlice<Substring>] {
        [keyFolder.dropLast(), keyFolder].compactMap { config in
            let above = folder.dropLast()
            guard folder.count > config.count, above.suffix(config.count) == config else {
                return nil
            }
            return above.dropLast(config.count)
        }
    }

    private func path(_ start: ArraySlice<Substring>, _ rest: [Substring]) -> String {
        (isAbsolute ? "/" : "") + (start + rest).joined(separator: "/")
    }

    /// Whether something has a path. Throws `ReadFailure` where nobody can tell.
    func isThere(_ path: String) throws(ReadFailure) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return true }
        let failure = SystemFailure()
        guard failure.meansLeadsNowhere else {
            throw ReadFailure(reason: "cannot be looked for at \(path): \(failure.text)")
        }
        return false
    }
}
