// A song's one file lies at `songs/{id}`: every upload goes to the same key again.
extension Hand {
    private static let songs = 90

    /// One workflow on a song.
    func songWorkflow() async throws {
        let id = "s\(random.skewed(Self.songs))"
        if try isMissing(.song, id) { return try await createSong(id) }
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1, 2: try await uploadSong(id)
        case 12, 13, 14: try await uploadAndLeave(id)
        case 3: try clear(.song, id)
        case 4, 5: try await relinkSong(id)
        case 6, 7: try await detach(.song, id)
        case 8: try await deleteBoth(.song, id)
        case 9: try await carry(from: .song, id)
        default: try await writeBack(.song, id)
        }
    }

    private func createSong(_ id: String) async throws {
        count("create")
        let song = Write.Content.whole(title: "by \(name)", value: nil)
        try write(Write(table: .song, id: id, content: song))
        try await uploadSong(id)
    }

    private func uploadSong(_ id: String) async throws {
        count("upload-and-associate")
        let deadline = try upload("songs/" + id, sameBytes: random.chance(60))
        try await wait(before: deadline)
        try write(Write(table: .song, id: id, content: .value(id)), before: deadline)
    }

    // A key that was quarantined comes back with the same bytes or with others, and is an orphan
    // once more, which somebody may still link.
    private func uploadAndLeave(_ id: String) async throws {
        count("upload-and-leave")
        try write(Write(table: .song, id: id, content: .value(nil)))
        _ = try upload("songs/" + id, sameBytes: random.chance(70))
        try await idle()
        if random.chance(40) { try await relinkSong(id) }
    }

    // The file that is there is associated again: seen first, and in time.
    private func relinkSong(_ id: String) async throws {
        count("relink")
        if random.chance(50) {
            try write(Write(table: .song, id: id, content: .value(nil)))
            try await idle()
        }
        guard let deadline = try sight(of: "songs/" + id) else { return }
        try await wait(before: deadline)
        try write(Write(table: .song, id: id, content: .value(id)), before: deadline)
    }

    // MARK: Workflows of every table

    /// Reads the whole record and writes it back later, as it was.
    func writeBack(_ table: Table, _ id: String) async throws {
        count("write-back")
        guard let copy = try read(table, id) else { return }
        try await wait(before: copy.deadline)
        let old = Write.Content.whole(title: copy.title + "'", value: copy.value)
        try write(Write(table: table, id: id, content: old), before: copy.deadline)
    }

    /// Nulls the key, and leaves the file.
    func clear(_ table: Table, _ id: String) throws {
        count("clear")
        try write(Write(table: table, id: id, content: .value(nil)))
    }

    /// Nulls the key, and then removes the file.
    func detach(_ table: Table, _ id: String) async throws {
        count("detach-and-delete")
        guard let copy = try read(table, id) else { return }
        try write(Write(table: table, id: id, content: .value(nil)))
        try await idle()
        for key in Keys.held(table, copy.value) { try remove(key) }
    }

    /// Deletes record and file in either order, or the record alone.
    func deleteBoth(_ table: Table, _ id: String) async throws {
        guard let copy = try read(table, id) else { return }
        let keys = Keys.held(table, copy.value)
        let record = Write(table: table, id: id, content: .nothing)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            count("delete-file-first")
            for key in keys { try remove(key) }
            try await idle()
            try write(record)
        case 1:
            count("delete-record-first")
            try write(record)
            try await idle()
            for key in keys { try remove(key) }
        default:
            count("delete-record-only")
            try write(record)
        }
    }
}
