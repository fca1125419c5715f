import MooringModel

// Faults that tell their cause only beside other objects, other records or a copy of the records.

extension DemoContent {
    /// Plants what a list's history, an identity, a relation or a copy tells.
    mutating func plantCauses() {
        plantLostUpdate()
        plantIdentities()
        plantTwins()
        plantContracts()
        plantRelations()
        plantCopies()
        plantThumbnails()
    }

    // Two devices appended to one list at once: the one that wrote last had not seen the other.
    private mutating func plantLostUpdate() {
        let changed = now - .days(60)
        let album = addAlbum(changed: changed)
        for (age, isListed) in [(Int64(30), true), (50, false)] {
            let key = "\(albums[album].id)-\(seed.uuid()).png"
            if isListed { albums[album].files.append(key) }
            addFile(Self.imageKey(key, albums[album]), image(), changed - .seconds(age))
        }
        plant(.orphan, .lostUpdate, .settled)
    }

    private mutating func plantIdentities() {
        // Somebody installed the app anew, and nobody has the old identity any more.
        addFile(
            ObjectKey("private/eu-west-1:\(seed.uuid())/\(seed.uuid()).png"), image(),
            now - .days(65))
        plant(.orphan, .unknownIdentity, .settled)
        // A guest uploaded the cover, and signed in before the song was saved.
        let song = addSong(changed: now - .days(47))
        var guest = songs[song]
        guest.identity = "eu-west-1:\(seed.uuid())"
        rename(Self.coverKey(songs[song]), to: Self.coverKey(guest))
        plant(.dangling, .misplaced, .undecided)
        plant(.orphan, .superseded, .undecided)
    }

    // One system stored the name in another form than the one that uploaded the file.
    private mutating func plantTwins() {
        for (held, there) in [
            ("Caf\u{E9} Lights.png", "Cafe\u{301} Lights.png"),
            ("Late%20Train.png", "Late Train.png"),
        ] {
            let song = addSong(changed: now - .days(37))
            let planned = Self.coverKey(songs[song])
            songs[song].files = held
            rename(planned, to: ObjectKey("private/\(songs[song].identity)/\(there)"))
        }
        plant(.dangling, .twin, .undecided, count: 2)
        plant(.orphan, .ownerless, .undecided, count: 2)
    }

    // Only its owner may read a contract, and one lies where everybody can.
    private mutating func plantContracts() {
        for number in 0..<Self.contractCount {
            let changed = now - .days(Int64(90 + number))
            let folder =
                number == 0 ? "public" : "private/\(people[number % people.count])"
            let key = "\(folder)/contracts/\(seed.uuid()).txt"
            contracts.append(
                DemoRecord(
                    id: seed.uuid(), title: DemoWords.title(&seed), files: key,
                    changed: changed))
            addFile(ObjectKey(key), text(), changed - .seconds(20))
        }
        plant(.exposed, nil, .settled)
    }

    private mutating func plantRelations() {
        // The post was deleted while somebody without a network wrote a comment on it.
        comments.append(
            DemoRecord(
                id: seed.uuid(), title: "First!", files: seed.uuid(), changed: now - .days(26)))
        plant(.danglingRelation, .missingParent, .settled)
        let post = addPost(changed: now - .days(30))
        posts[post].isDeleted = true
        comments.append(
            DemoRecord(
                id: seed.uuid(), title: "Where did it go?", files: posts[post].id,
                changed: now - .days(31)))
        plant(.danglingRelation, .tombstonedParent, .settled)
        // The song went, and the row that joined it to a post stayed.
        joins.append(
            DemoRecord(
                id: seed.uuid(), title: addPostID(), files: seed.uuid(),
                changed: now - .days(44)))
        plant(.danglingRelation, .joinEnd, .settled)
    }

    private mutating func addPostID() -> String {
        posts[addPost(changed: now - .days(46))].id
    }

    // A phone that was last online weeks ago.
    private mutating func plantCopies() {
        let renamed = addSong(changed: now - .days(22))
        var behind = songs[renamed]
        behind.title += " (demo take)"
        behind.changed = now - .days(58)
        behind.version = 1
        copies.append(behind)
        plant(.staleCopy, .behind, .settled)
        let deleted = addSong(changed: now - .days(14))
        var kept = songs[deleted]
        kept.changed = now - .days(57)
        copies.append(kept)
        songs[deleted].isDeleted = true
        plant(.staleCopy, .deletedUpstream, .settled)
    }

    // No finding: a thumbnail lives as long as the image that it was made from.
    private mutating func plantThumbnails() {
        for _ in 0..<3 {
            let album = albums[addAlbum(changed: now - .days(33))]
            guard let key = album.files.first ?? nil else { continue }
            let thumbnail = ObjectKey(Array("thumbs/".utf8) + Self.imageKey(key, album).bytes)
            addFile(thumbnail, image(), album.changed)
        }
    }

    private mutating func rename(_ key: ObjectKey, to other: ObjectKey) {
        guard let index = files.firstIndex(where: { $0.key == key }) else { return }
        files[index] = DemoFile(
            key: other, content: files[index].content, modified: files[index].modified)
    }
}
