import MooringModel

// The planted faults. With the preset `standard` the grace is 3 d 1 h: what is younger is
// explained, what is older is settled. Eight orphans of a thousand objects are removable, which
// stays below the limit `orphanShare: 1%`.

extension DemoContent {
    /// Plants every finding that the README speaks of.
    mutating func plantFaults() {
        plantCovers()
        plantImages()
        plantPosts()
        plantOwnerless()
        plantStrays()
        plantDangling()
        plantOddities()
    }

    // MARK: Orphans

    private mutating func plantCovers() {
        // Create record, upload the cover, and then the app crashed before it set the key.
        for days in [Int64(10), 33] {
            addSongWithoutKey(cover: now - .days(days), changed: now - .days(days) - .seconds(20))
        }
        plant(.orphan, .unassociated, .settled, count: 2)
        addSongWithoutKey(cover: now - .hours(2), changed: now - .hours(2) - .seconds(20))
        plant(.orphan, .unassociated, .explained)
        // The association was cleared on purpose, and the file kept.
        addSongWithoutKey(cover: now - .days(60), changed: now - .days(20))
        plant(.orphan, .cleared, .settled)
    }

    private mutating func addSongWithoutKey(cover: Instant, changed: Instant) {
        let song = addSong(changed: changed)
        songs[song].files = nil
        touch(Self.coverKey(songs[song]), cover)
    }

    private mutating func plantImages() {
        // An append was lost, or an image was taken out of the list and its file stayed.
        for days in [Int64(45), 51] {
            let album = addAlbum(changed: now - .days(days) + .hours(6))
            addUnlistedImage(album, now - .days(days))
        }
        plant(.orphan, .detached, .settled, count: 2)
        let album = addAlbum(changed: now - .days(100))
        addUnlistedImage(album, now - .minutes(40))
        plant(.orphan, .detached, .explained)
    }

    private mutating func addUnlistedImage(_ album: Int, _ modified: Instant) {
        let key = "\(albums[album].id)-\(seed.uuid()).png"
        addFile(Self.imageKey(key, albums[album]), image(), modified)
    }

    private mutating func plantPosts() {
        // "Add or update file" never removes the file that was there before.
        addReplacedPost(old: now - .days(80), changed: now - .days(30))
        plant(.orphan, .superseded, .settled)
        // Settled, but its owner changed yesterday: it waits for a settled owner.
        addReplacedPost(old: now - .days(40), changed: now - .days(1))
        plant(.orphan, .superseded, .settled)
        addReplacedPost(old: now - .hours(20), changed: now - .hours(18))
        plant(.orphan, .superseded, .explained)
    }

    private mutating func addReplacedPost(old: Instant, changed: Instant) {
        let post = addPost(changed: changed)
        addFile(ObjectKey("public/\(posts[post].id)-\(seed.uuid()).txt"), text(), old)
    }

    private mutating func plantOwnerless() {
        // The record was deleted, on its own or by a cascade, and its file stayed.
        let person = people[2]
        addFile(ObjectKey("private/\(person)/\(seed.uuid()).png"), image(), now - .days(70))
        // A tombstone that holds no key protects nothing.
        let song = addSong(changed: now - .days(25))
        songs[song].files = nil
        songs[song].isDeleted = true
        // A hostile name is a name like any other.
        addFile(
            ObjectKey("private/\(person)/=cmd()\n<script>alert(1).png"), image(),
            now - .days(90))
        plant(.orphan, .ownerless, .settled, count: 3)
        addFile(ObjectKey("private/\(person)/\(seed.uuid()).png"), image(), now - .days(1))
        plant(.orphan, .ownerless, .explained)
    }

    private mutating func plantStrays() {
        // No template fits, so no owner can be asked: these wait for a second sighting.
        addFile(ObjectKey("public/drafts/cover idea.txt"), text(), now - .days(120))
        addFile(
            ObjectKey(Array("public/caf".utf8) + [0xE9] + Array(".txt".utf8)), text(),
            now - .days(150))
        plant(.orphan, .unattributed, .settled, count: 2)
        // An attribute that nobody mapped links to the file, and so protects it.
        addFile(ObjectKey("public/press/band photo.png"), image(), now - .days(140))
        addComment("For the press: https://media.example.com/public/press/band%20photo.png")
        plant(.unmappedReference, nil, .undecided)
    }

    // MARK: Dangling references

    private mutating func plantDangling() {
        // "Delete both, file first", and the app crashed before it deleted the record.
        removeCover(ofSong: addSong(changed: now - .days(15)))
        let album = addAlbum(changed: now - .days(16))
        albums[album].files.insert("\(albums[album].id)-\(seed.uuid()).png", at: 0)
        plant(.dangling, .missing, .settled, count: 2)
        removeCover(ofSong: addSong(changed: now - .hours(5)))
        plant(.dangling, .missing, .explained)
        // An earlier run removed the object, and then a device associated it again.
        let wanted = addSong(changed: now - .days(4))
        if let file = removeCover(ofSong: wanted) {
            let old = DemoFile(
                key: file.key, content: file.content, modified: now - .days(95))
            quarantined.append((RunID(startingAt: now - .days(6)), old))
        }
        plant(.dangling, .quarantined, .settled)
        // The record names a bucket that the configuration does not.
        let post = addPost(changed: now - .days(180))
        posts[post].files = Self.s3Object(
            key: "\(posts[post].id)-\(seed.uuid()).txt", bucket: "media-2019")
        files.removeLast()
        plant(.dangling, .foreign, .undecided)
    }

    @discardableResult
    private mutating func removeCover(ofSong song: Int) -> DemoFile? {
        let key = Self.coverKey(songs[song])
        guard let index = files.firstIndex(where: { $0.key == key }) else { return nil }
        return files.remove(at: index)
    }

    // MARK: The rest

    private mutating func plantOddities() {
        let first = addSong(changed: now - .days(50))
        let second = addSong(changed: now - .days(49))
        removeCover(ofSong: second)
        songs[second].identity = songs[first].identity
        songs[second].files = songs[first].files
        plant(.shared, nil, .settled)

        let empty = addSong(changed: now - .days(61))
        let key = Self.coverKey(songs[empty])
        removeCover(ofSong: empty)
        addFile(key, [], now - .days(61))
        plant(.emptyObject, nil, .settled)

        let slashed = addSong(changed: now - .days(200))
        removeCover(ofSong: slashed)
        songs[slashed].files = "/covers/\(songs[slashed].id).png"
        let album = addAlbum(changed: now - .days(130))
        albums[album].files.append(nil)
        plant(.invalidKey, nil, .settled, count: 2)

        // No finding: until it is removed for good, a tombstone protects its object.
        let deleted = addSong(changed: now - .days(12))
        songs[deleted].isDeleted = true
    }

    private mutating func touch(_ key: ObjectKey, _ modified: Instant) {
        guard let index = files.firstIndex(where: { $0.key == key }) else { return }
        files[index] = DemoFile(key: key, content: files[index].content, modified: modified)
    }
}
