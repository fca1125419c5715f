// A post holds a complex object with any key; new files get new keys, and nothing in a key or in
// the record tells who owned a file or when that changed.
extension Hand {
    private static let posts = 50

    /// One workflow on a post.
    func postWorkflow() async throws {
        let id = "p\(random.skewed(Self.posts))"
        if try isMissing(.post, id) { return try await createPost(id) }
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: try await replaceFile(of: id)
        case 2: try await uploadAgain(id)
        case 3: try clear(.post, id)
        case 4, 5: try await detach(.post, id)
        case 6: try await deleteBoth(.post, id)
        case 7: try await relinkPost(id)
        case 8, 9: try await pickFile(for: id)
        case 10: try await carry(from: .post, id)
        default: try await writeBack(.post, id)
        }
    }

    private func createPost(_ id: String) async throws {
        count("create-complex")
        let key = newKey()
        let deadline = try upload(key)
        try await wait(before: deadline)
        let post = Write.Content.whole(title: "by \(name)", value: Keys.complex(key))
        try write(Write(table: .post, id: id, content: post), before: deadline)
    }

    // The old file stays behind, always.
    private func replaceFile(of id: String) async throws {
        count("replace-file")
        let key = newKey()
        let deadline = try upload(key)
        try await wait(before: deadline)
        try write(Write(table: .post, id: id, content: .value(Keys.complex(key))), before: deadline)
    }

    private func uploadAgain(_ id: String) async throws {
        count("same-key-again")
        guard let copy = try read(.post, id), let key = Keys.held(.post, copy.value).first else {
            return
        }
        try await idle()
        let deadline = try upload(key)
        try await wait(before: deadline)
        try write(Write(table: .post, id: id, content: .value(Keys.complex(key))), before: deadline)
    }

    private func relinkPost(_ id: String) async throws {
        count("relink")
        guard let copy = try read(.post, id), let key = Keys.held(.post, copy.value).first else {
            return
        }
        try write(Write(table: .post, id: id, content: .value(nil)))
        try await idle()
        try await associate(key, with: id)
    }

    // The user picks one of the files that are there, whoever left it and however long ago.
    private func pickFile(for id: String) async throws {
        count("pick")
        let names = try files.names(in: "posts")
        guard let name = names.randomElement(using: &random) else { return }
        try await associate("posts/" + name, with: id)
    }

    private func associate(_ key: String, with id: String) async throws {
        guard let deadline = try sight(of: key) else { return }
        try await wait(before: deadline)
        try write(Write(table: .post, id: id, content: .value(Keys.complex(key))), before: deadline)
    }

    private func newKey() -> String { "posts/" + random.uuid() + ".bin" }

    // MARK: Notes

    private static let notes = 20

    /// One workflow on a note: it takes up a key that some record holds, keeps it for a while, and
    /// lets it go.
    func noteWorkflow() async throws {
        let table = [Table.song, .album, .post][Int.random(in: 0..<3, using: &random)]
        let letter = [Table.song.name: "s", Table.album.name: "a"][table.name] ?? "p"
        try await note(from: table, "\(letter)\(random.skewed(40))", clears: false)
    }

    /// Carries a key from a record to a note nobody mapped, and on to a post: it is always held
    /// somewhere, but a reader who looks at one place after the other may miss it.
    func carry(from table: Table, _ id: String) async throws {
        try await note(from: table, id, clears: true)
    }

    // At times long enough that nothing but the note speaks for the file.
    private func hold() async throws {
        let grace = options.uploadWindow + options.staleWindow
        let time = Int64.random(in: 0...(random.chance(60) ? grace / 4 : 4 * grace), using: &random)
        try await Task.sleep(for: .nanoseconds(time))
    }

    private func note(from table: Table, _ id: String, clears: Bool) async throws {
        count(clears ? "carry" : "note")
        guard let copy = try read(table, id),
            let key = Keys.held(table, copy.value).randomElement(using: &random),
            let deadline = try sight(of: key)
        else { return }
        let note = "n\(Int.random(in: 0..<Self.notes, using: &random))"
        try await wait(before: deadline)
        let body = random.chance(50) ? key : "look at \(key), \(name)"
        let content = Write.Content.whole(title: "by \(name)", value: body)
        guard try write(Write(table: .note, id: note, content: content), before: deadline) else {
            return
        }
        if clears, table.name != Table.album.name {
            try write(Write(table: table, id: id, content: .value(nil)))
        }
        try await hold()
        if clears { try await associate(key, with: "p\(random.skewed(Self.posts))") }
        try write(Write(table: .note, id: note, content: .nothing))
    }
}
