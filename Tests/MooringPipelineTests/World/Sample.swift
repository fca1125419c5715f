import MooringModel

/// The small app that worlds hold: its configuration, its tables, and short ways to its values.
enum Sample {
    /// The tables of every source; nobody maps `Setting`.
    static let tables: [(name: String, columns: [String])] = [
        ("Song", ["id", "cover", "version", "changed", "deleted", "owner"]),
        ("Album", ["id", "images", "version", "changed", "deleted"]),
        ("Post", ["id", "file", "version", "changed"]),
        ("Note", ["id", "scan", "changed"]),
        ("Page", ["id", "images", "changed"]),
        ("Setting", ["id", "value"]),
    ]

    /// The app's configuration.
    static let app = file()

    /// The app's configuration with more settings of a song's cover, of all models but the notes,
    /// of the bucket, and of the file.
    static func file(
        cover: String = "template: \"{id}\"", changedBy: String = "server", bucket: String = "",
        race: String = "", rest: String = ""
    ) -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
                version: version
                changed: changed
                changedBy: \(changedBy)
                deleted: deleted
                identity: owner
                files: [{field: cover, bucket: media, \(cover)}]
              - model: Album
                version: version
                changed: changed
                changedBy: \(changedBy)
                deleted: deleted
                files: [{field: images, bucket: media, list: true, template: "{id}-{uuid}"}]
              - model: Post
                version: version
                changed: changed
                changedBy: \(changedBy)
                files: [{field: file, bucket: media, complex: true, template: "posts/{*}"}]
              - model: Note
                changed: changed
                files: [{field: scan, bucket: media, template: "notes/{id}"}]
              - model: Page
                changed: changed
                files: [{field: images, bucket: media, list: true, template: "pages/{*}"}]
        buckets:
          - name: media
            directory: ./media
            quarantine: .q/
        \(bucket)
        race: {preset: standard\(race)}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        \(rest)
        """
    }

    /// The wait of the preset `standard`: U + S.
    static let grace = Duration.hours(73)
}

extension FieldValue {
    /// A text's value.
    static func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    /// A moment as the app writes it: milliseconds since the epoch.
    static func moment(_ instant: Instant) -> FieldValue {
        .integer(instant.nanoseconds / 1_000_000)
    }
}

extension World {
    /// Adds a song that changed at a moment, by default long ago.
    func song(
        _ id: String, cover: String?, changed: Instant = World.longAgo, owner: String? = nil
    ) {
        source.insert(
            "Song",
            [
                "id": .text(id), "cover": cover.map { .text($0) } ?? .null,
                "version": .integer(1), "changed": .moment(changed),
                "owner": owner.map { .text($0) } ?? .null,
            ])
    }

    /// Adds an album with a list of images as it is written.
    func album(_ id: String, _ images: String?, changed: Instant = World.longAgo) {
        source.insert(
            "Album",
            [
                "id": .text(id), "images": images.map { .text($0) } ?? .null,
                "version": .integer(1), "changed": .moment(changed),
            ])
    }

    /// Adds an object written at a moment, by default long ago.
    func object(_ key: String, at moment: Instant = World.longAgo) {
        bucket.put(ObjectKey(key), Array("content of \(key)".utf8), at: moment)
    }

    /// What a device does when it writes a song as it knows it: its columns, and version and
    /// change time as the server sets them.
    func write(song id: String, _ values: [String: FieldValue]) {
        let rows = source.records("Song").filter { $0["id"] == .text(id) }
        var all = values
        if case .integer(let version) = rows.first?["version"] {
            all["version"] = .integer(version + 1)
        }
        all["changed"] = .moment(clock.now)
        if rows.isEmpty {
            all["id"] = .text(id)
            if all["version"] == nil { all["version"] = .integer(1) }
            source.insert("Song", all)
        } else {
            source.set("Song", Array(id.utf8), all)
        }
    }

    /// The cover that a song holds; nil when it holds none or is gone.
    func cover(_ id: String) -> String? {
        source.records("Song").first { $0["id"] == .text(id) }?["cover"]?.bytes
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether an object lies at a key.
    func has(_ key: String) -> Bool { bucket.objects[ObjectKey(key)] != nil }
}

extension [Finding] {
    /// The one finding about a key; nil when there is none, or more than one.
    func about(_ key: String, _ kind: FindingKind = .orphan) -> Finding? {
        let found = filter { $0.kind == kind && $0.key == ObjectKey(key) }
        return found.count == 1 ? found[0] : nil
    }
}
