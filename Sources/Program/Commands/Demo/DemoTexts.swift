import MooringModel

/// The texts that lie beside the demo's data.
enum DemoTexts {
    /// The demo's `README.md`.
    static func readme(_ summary: DemoSummary) -> String {
        let rows = summary.planted.map { planted in
            "| \(planted.kind.rawValue) | \(planted.cause?.rawValue ?? "") "
                + "| \(planted.verdict.rawValue) | \(planted.count) | \(story(of: planted)) |"
        }
        return """
            # A demo of Mooring

            A made-up music-and-photos app: \(summary.records) records in `app.sqlite`, \
            \(summary.files) files in `files/`,
            and a phone's copy of \(summary.copies) records in `phone.sqlite`. Nothing here is real,
            and everything may be broken.

            | model | field | files lie at |
            |---|---|---|
            | Song | `coverArtKey`, one key | `files/private/{identity}/` |
            | PhotoAlbum | `imageKeys`, a list | `files/protected/{identity}/` |
            | Post | `file`, an S3Object | `files/public/` |
            | Contract | `fileKey`, the whole key | `files/` |
            | Comment | none; its text links to a file | |
            | PostSong | none; joins a post to a song | |

            \(walk)
            ## What was planted

            | kind | cause | verdict | count | what happened |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            The verdicts are those of the day the demo was made: what is `explained` becomes
            `settled` three days and an hour after its last change.

            \(ends)

            """
    }

    private static let walk = """
        ## Try

        ```sh
        mooring audit                                          # what is wrong
        mooring plan                                           # what would be done about it
        mooring repair Reports/Runs/latest/plan.json           # a dry run
        mooring repair Reports/Runs/latest/plan.json --apply   # do it
        mooring audit                                          # what is left, and why
        mooring undo latest --apply                            # take it back
        mooring audit                                          # as at first
        ```

        The findings after the undo are those of the first audit. Some read otherwise: the
        repair and the undo wrote their records a moment ago, and Mooring leaves alone what was
        written a moment ago. Three are now `explained` instead of `settled`, and of the image
        that had dropped out of a list nothing tells any more how it dropped out: it is
        `detached`, and waits.

        Then open `Reports/Runs/latest/report.html`, run `mooring explain` with a key or with
        `Song/ID`, and `mooring check`, which fails: `mooring.yaml` has a gate.

        ## A wrong configuration

        `mooring-wrong-prefix.yaml` is `mooring.yaml` with one mistake: it looks for the images
        of albums at `private/`. A tool that believes it takes hundreds of files for orphans.

        ```sh
        mooring audit --config mooring-wrong-prefix.yaml   # one mapping-error, with its share
        mooring plan --config mooring-wrong-prefix.yaml    # refused: exit status 3
        ```

        """

    private static let ends = """
        The first plan quarantines nine orphans, nulls two references and one relation, puts one
        image back into its list, spells two names as their files are spelled, and refreshes
        two rows of the phone. It leaves the `cleared` orphan (somebody chose to keep the file),
        one `superseded` orphan whose record changed a day ago, and the `unattributed` ones
        until a second audit, days later, still sees them. What else is `undecided` stays: such
        an orphan is the file that a song may mean whose own cover is not there. The other two
        relations stay as well: only deleting their rows would help, or waiting for the post
        to go for good.

        One object lies in quarantine from the start although a song references it: take the
        override out of `mooring.yaml`, audit and plan again, and it is given back.

        Two things are no findings: records that are marked as deleted and still hold their
        keys, whose objects are no orphans; and thumbnails in `thumbs/`, which no record names
        and which live as long as the images that they were made from.

        ## What it cannot show

        | code | needs |
        |---|---|
        | dangling `deleted` | a bucket with versions and delete markers; a folder has none |
        | dangling `vanished` | a folder that is gone: move one below `files/private` away, and \
        audit again |
        | abandoned-upload | a bucket with multipart uploads; a folder has none |
        | stale-copy `pending` | a device's database with its outbox; here it is plain SQLite |
        | mapping-error | a wrong configuration: only `mooring-wrong-prefix.yaml` has one, \
        of cause `prefix` |
        """

    private static func story(of planted: DemoSummary.Planted) -> String {
        switch (planted.kind, planted.cause) {
        case (.orphan, _) where planted.verdict == .undecided:
            "where a song that misses its cover may mean it"
        case (.orphan, .unassociated): "uploaded, and never set as the song's cover"
        case (.orphan, .cleared): "the song's cover was taken away on purpose"
        case (.orphan, .superseded): "the post got another file, and the old one stayed"
        case (.orphan, .detached): "the album's list does not hold the image"
        case (.orphan, .ownerless): "the song was deleted; one name is hostile"
        case (.orphan, .lostUpdate): "two devices added an image at once, and one dropped out"
        case (.orphan, .unknownIdentity): "somebody installed the app anew"
        case (.orphan, _): "no key template fits the name"
        case (.dangling, .missing): "the file was removed, and the record still holds its key"
        case (.dangling, .quarantined): "the file lies in quarantine, and a song wants it"
        case (.dangling, .misplaced): "a guest uploaded the cover, and then signed in"
        case (.dangling, .twin): "another Unicode form; percent-encoding"
        case (.dangling, _): "the post names a bucket that is not configured"
        case (.exposed, _): "only its owner may read the contract, and it lies in public/"
        case (.danglingRelation, .missingParent): "a comment on a post that never came"
        case (.danglingRelation, .tombstonedParent): "a comment on a post that was deleted"
        case (.danglingRelation, _): "a post is joined to a song that is not there"
        case (.staleCopy, .behind): "the phone has the song's old title"
        case (.staleCopy, _): "the phone has a song that was deleted"
        case (.shared, _): "two songs hold the same key"
        case (.invalidKey, _): "a key with a leading slash; a null in a list"
        case (.emptyObject, _): "a cover of zero bytes"
        default: "a comment links to the file, so it is protected"
        }
    }
}
