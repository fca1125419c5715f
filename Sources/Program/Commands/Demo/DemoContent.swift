import MooringModel

/// One file of the demo.
struct DemoFile: Hashable {
    /// The key: the path below the folder of files.
    let key: ObjectKey
    /// What it holds.
    let content: [UInt8]
    /// The modification time that it gets.
    let modified: Instant
}

/// One record of the demo's tables, with what all of them have.
struct DemoRecord<Files: Hashable>: Hashable {
    /// The identifier.
    let id: String
    /// The identity id of its owner; empty where the table has none.
    var identity = ""
    /// The title, name or text.
    var title: String
    /// What the file column holds.
    var files: Files
    /// The last change.
    var changed: Instant
    /// Whether it is a tombstone.
    var isDeleted = false
    /// How often it was written before that.
    var version: Int64 = 2
}

/// Everything that a demo consists of, made in memory from a fixed seed and one moment.
struct DemoContent {
    /// How many records the tables hold together.
    static let recordCount = 200
    /// How many objects lie in the folder, the quarantine left out.
    static let fileCount = 1_000
    /// How many albums there are, and how many posts that comments are about.
    static let albumCount = 40
    static let postCount = 40
    static let commentCount = 20
    /// How many contracts there are, how many rows that join a post to a song, and how many songs
    /// the phone has that are up to date.
    static let contractCount = 5
    static let joinCount = 8
    static let copyCount = 10

    /// The moment that all ages are counted back from.
    let now: Instant
    /// The numbers that identifiers and contents are drawn from.
    var seed = DemoSeed()
    /// The identity ids of the people who use the app.
    private(set) var people: [String] = []
    /// The records; a comment's `files` is the post that it is about, and a join row holds a post
    /// as its title and a song as its files.
    var songs: [DemoRecord<String?>] = []
    var albums: [DemoRecord<[String?]>] = []
    var posts: [DemoRecord<String?>] = []
    var comments: [DemoRecord<String>] = []
    var contracts: [DemoRecord<String>] = []
    var joins: [DemoRecord<String>] = []
    /// The phone's copies of songs.
    var copies: [DemoRecord<String?>] = []
    /// The files outside the quarantine.
    var files: [DemoFile] = []
    /// The files in quarantine, by the run that put them there.
    var quarantined: [(run: RunID, file: DemoFile)] = []
    /// What the first audit finds.
    private(set) var planted: [DemoSummary.Planted] = []

    /// The demo at a moment.
    init(now: Instant) {
        self.now = now
        people = (0..<8).map { _ in "eu-west-1:" + seed.uuid() }
        plantFaults()
        plantCauses()
        addHealthyRecords()
        addHealthyImages()
    }

    /// Notes that the first audit makes such findings.
    mutating func plant(
        _ kind: FindingKind, _ cause: FindingCause?, _ verdict: Verdict, count: Int = 1
    ) {
        let index = planted.firstIndex {
            $0.kind == kind && $0.cause == cause && $0.verdict == verdict
        }
        if let index {
            planted[index].count += count
        } else {
            planted.append(
                DemoSummary.Planted(kind: kind, cause: cause, verdict: verdict, count: count))
        }
    }

    // MARK: Healthy data

    private mutating func addHealthyRecords() {
        while albums.count < Self.albumCount { addAlbum(changed: ago(days: 20...200)) }
        while posts.count < Self.postCount { addPost(changed: ago(days: 20...200)) }
        for number in 0..<Self.commentCount - comments.count {
            addComment("Lovely, number \(number + 1)!")
        }
        let others =
            albums.count + posts.count + comments.count + contracts.count + Self.joinCount
        let first = songs.count
        while songs.count < Self.recordCount - others { addSong(changed: ago(days: 20...200)) }
        copies += songs[first...].prefix(Self.copyCount)
        for (post, song) in zip(posts.suffix(Self.joinCount - joins.count), songs[first...]) {
            joins.append(
                DemoRecord(
                    id: seed.uuid(), title: post.id, files: song.id,
                    changed: max(post.changed, song.changed)))
        }
    }

    // Albums share what is left of the files, so that there are exactly so many.
    private mutating func addHealthyImages() {
        var album = 0
        while files.count < Self.fileCount {
            addImage(toAlbum: album % albums.count)
            album += 1
        }
    }

    /// Adds a comment about one of the posts that are there.
    mutating func addComment(_ text: String) {
        let present = posts.filter { !$0.isDeleted }
        let post = present[comments.count % present.count]
        comments.append(
            DemoRecord(
                id: seed.uuid(), title: text, files: post.id,
                changed: post.changed + .hours(comments.isEmpty ? 1 : 2)))
    }

    /// Adds a song whose cover lies where it should, and gives its place.
    @discardableResult
    mutating func addSong(changed: Instant) -> Int {
        let id = seed.uuid()
        let song = DemoRecord<String?>(
            id: id, identity: seed.element(of: people), title: DemoWords.title(&seed),
            files: "\(id).png", changed: changed)
        songs.append(song)
        addFile(Self.coverKey(song), image(), changed - .seconds(20))
        return songs.count - 1
    }

    /// Adds an album with one image, and gives its place.
    @discardableResult
    mutating func addAlbum(changed: Instant) -> Int {
        albums.append(
            DemoRecord(
                id: seed.uuid(), identity: seed.element(of: people),
                title: DemoWords.title(&seed), files: [], changed: changed))
        addImage(toAlbum: albums.count - 1)
        return albums.count - 1
    }

    /// Adds a post with its text, and gives its place.
    @discardableResult
    mutating func addPost(changed: Instant) -> Int {
        let id = seed.uuid()
        let key = "\(id)-\(seed.uuid()).txt"
        posts.append(
            DemoRecord(
                id: id, title: DemoWords.title(&seed), files: Self.s3Object(key: key),
                changed: changed))
        addFile(ObjectKey("public/\(key)"), text(), changed - .seconds(20))
        return posts.count - 1
    }

    private mutating func addImage(toAlbum number: Int) {
        let key = "\(albums[number].id)-\(seed.uuid()).png"
        let album = albums[number]
        albums[number].files.append(key)
        let age = Duration.minutes(Int64(seed.number(in: 1...50)))
        addFile(Self.imageKey(key, album), image(), album.changed - age)
    }

    // MARK: Pieces

    /// Adds a file.
    mutating func addFile(_ key: ObjectKey, _ content: [UInt8], _ modified: Instant) {
        files.append(DemoFile(key: key, content: content, modified: modified))
    }

    /// A moment so many days ago, and some minutes more.
    mutating func ago(days: ClosedRange<Int>) -> Instant {
        now - .days(Int64(seed.number(in: days))) - .minutes(Int64(seed.number(in: 0...1_400)))
    }

    /// The bytes of a new image.
    mutating func image() -> [UInt8] {
        let colours = (0..<seed.number(in: 2...6)).map { _ in
            UInt32(truncatingIfNeeded: seed.next())
        }
        return DemoImage.png(side: seed.number(in: 4...12), colours: colours)
    }

    /// The bytes of a new text.
    mutating func text() -> [UInt8] {
        Array(DemoWords.text(&seed).utf8)
    }

    /// The key of a song's cover, as its template has it.
    static func coverKey(_ song: DemoRecord<String?>) -> ObjectKey {
        ObjectKey("private/\(song.identity)/\(song.id).png")
    }

    /// The full key of an image of an album.
    static func imageKey(_ key: String, _ album: DemoRecord<[String?]>) -> ObjectKey {
        ObjectKey("protected/\(album.identity)/\(key)")
    }

    /// A complex object's JSON text; no value here needs escaping.
    static func s3Object(key: String, bucket: String = "media") -> String {
        #"{"bucket":"\#(bucket)","key":"\#(key)","region":"eu-west-1"}"#
    }
}
