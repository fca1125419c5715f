// An album holds a list of keys, `albums/{id}-{uuid}` each; its list holds what follows `albums/`.
extension Hand {
    private static let albums = 40
    private static let longest = 6

    /// One workflow on an album.
    func albumWorkflow() async throws {
        let id = "a\(random.skewed(Self.albums))"
        if try isMissing(.album, id) { return try await createAlbum(id) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try clear(.album, id)
        case 1, 2, 3: try await append(to: id)
        case 4: try await replace(in: id)
        case 5: try await drop(from: id)
        case 6: try await deleteBoth(.album, id)
        case 7: try await carry(from: .album, id)
        default: try await writeBack(.album, id)
        }
    }

    // The list is set once, after the last upload; the first file is the oldest.
    private func createAlbum(_ id: String) async throws {
        count("create-with-files")
        let album = Write.Content.whole(title: "by \(name)", value: nil)
        try write(Write(table: .album, id: id, content: album))
        var (elements, deadline) = ([String](), Int64.max)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let element = newElement(id)
            deadline = min(deadline, try upload("albums/" + element))
            elements.append(element)
        }
        try await wait(before: deadline)
        try set(elements, of: id, before: deadline)
    }

    // Two devices that append at once lose one key.
    private func append(to id: String) async throws {
        count("append")
        let element = newElement(id)
        let uploaded = try upload("albums/" + element)
        try await wait(before: uploaded)
        guard let copy = try read(.album, id) else { return }
        let deadline = min(uploaded, copy.deadline)
        if random.chance(50) { try await wait(before: deadline) }
        let list = Keys.list(copy.value).suffix(Self.longest - 1) + [element]
        try set(Array(list), of: id, before: deadline)
    }

    // The copy is older than the upload: what others did meanwhile is undone.
    private func replace(in id: String) async throws {
        count("replace-stale")
        guard let copy = try read(.album, id) else { return }
        try await wait(before: copy.deadline)
        let element = newElement(id)
        let deadline = min(try upload("albums/" + element), copy.deadline)
        var list = Keys.list(copy.value)
        if list.isEmpty {
            list = [element]
        } else {
            list[Int.random(in: list.indices, using: &random)] = element
        }
        try set(list, of: id, before: deadline)
    }

    private func drop(from id: String) async throws {
        count("drop")
        guard let copy = try read(.album, id) else { return }
        var list = Keys.list(copy.value)
        guard !list.isEmpty else { return }
        let dropped = list.remove(at: Int.random(in: list.indices, using: &random))
        try set(list, of: id, before: copy.deadline)
        guard random.chance(50) else { return }
        try await idle()
        try remove("albums/" + dropped)
    }

    private func set(_ list: [String], of id: String, before deadline: Int64) throws {
        let text = "[" + list.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        try write(Write(table: .album, id: id, content: .value(text)), before: deadline)
    }

    private func newElement(_ id: String) -> String { "\(id)-\(random.uuid())" }
}
