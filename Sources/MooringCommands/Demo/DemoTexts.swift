import MooringModel

/// The texts that lie beside the demo's data.
enum DemoTexts {
    /// The demo's `mooring.yaml`.
    static let configuration = """
        # The configuration of the demo: a small music-and-photos app.
        # Paths start at this file's folder.
        version: 1

        # All of Mooring's own state: runs, findings, plans and the journal of repairs.
        ledger: ./mooring.ledger

        # Where records live, and which of their fields hold keys of files.
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              # One key a record. A file lies at private/{identity}/{key}.
              - model: Song
                version: _version           # a number that grows with each write
                changed: _lastChangedAt     # when the record was last written
                deleted: _deleted           # marks a tombstone: a record that was deleted
                identity: ownerIdentity     # under whose identity the record's files lie
                files:
                  - field: coverArtKey
                    level: private
                    template: "{id}.png"    # how keys are made: it names an orphan's owner
              # A list of keys a record. A file lies at protected/{identity}/{key}.
              - model: PhotoAlbum
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                identity: ownerIdentity
                files:
                  - field: imageKeys
                    list: true
                    level: protected
                    template: "{id}-{uuid}.png"
              # An S3Object {bucket, key, region} a record. A file lies at public/{key}.
              - model: Post
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                files:
                  - field: file
                    complex: true
                    level: guest
                    template: "{id}-{uuid}.txt"
              # No files here. Its column `text` is not named: Mooring still looks for keys in it.
              - model: Comment
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                relations:
                  - {field: postID, model: Post}

        # Where files live. Removed files are not deleted: they wait in .mooring/quarantine/.
        buckets:
          - name: media
            directory: ./files

        # How long a device may take to associate an upload (1 h), and to write an old copy of a
        # record back (3 d). What is younger than both together is explained, and left alone.
        race:
          preset: standard

        # What `plan` proposes. `mooring run` changes nothing while apply is false.
        repair:
          apply: false
          orphan: quarantine
          dangling: nullify
          # One record's object lies in quarantine. Take the next line out, and the next plan
          # gives it back.
          overrides: [{cause: quarantined, dangling: keep}]
          retention: 30d

        # A plan that would remove more than this share of all files is refused.
        limits: {orphanShare: 1%}

        # `mooring check` fails when one of these does not hold.
        gates: ["dangling.settled == 0"]

        report: {directory: Reports/Runs, formats: [json, html, text]}

        """

    /// The demo's `README.md`.
    static func readme(_ summary: DemoSummary) -> String {
        let rows = summary.planted.map { planted in
            "| \(planted.kind.rawValue) | \(planted.cause?.rawValue ?? "") "
                + "| \(planted.verdict.rawValue) | \(planted.count) | \(story(of: planted)) |"
        }
        return """
            # A demo of Mooring

            A made-up music-and-photos app: \(summary.records) records in `app.sqlite` and \
            \(summary.files) files in `files/`. Nothing here is real, and everything may be broken.

            | model | field | files lie at |
            |---|---|---|
            | Song | `coverArtKey`, one key | `files/private/{identity}/` |
            | PhotoAlbum | `imageKeys`, a list | `files/protected/{identity}/` |
            | Post | `file`, an S3Object | `files/public/` |
            | Comment | none; its text links to a file | |

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

            The findings after the undo are those of the first audit. Two dangling references are
            now `explained` instead of `settled`: the repair and the undo wrote their records a
            moment ago, and Mooring leaves alone what was written a moment ago.

            Then open `Reports/Runs/latest/report.html`, run `mooring explain` with a key or with
            `Song/ID`, and `mooring check`, which fails: `mooring.yaml` has a gate.

            ## What was planted

            | kind | cause | verdict | count | what happened |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            The verdicts are those of the day the demo was made: what is `explained` becomes
            `settled` three days and an hour after its last change.

            The first plan quarantines eight orphans and nulls two references. It leaves the
            `cleared` orphan (somebody chose to keep the file), one `superseded` orphan whose record
            changed a day ago, and the `unattributed` ones until a second audit, days later, still
            sees them. One object lies in quarantine from the start although a song references it:
            take the override out of `mooring.yaml`, audit and plan again, and it is given back.

            One record is marked as deleted and still holds its key. Its object is no orphan.

            """
    }

    private static func story(of planted: DemoSummary.Planted) -> String {
        switch (planted.kind, planted.cause) {
        case (.orphan, .unassociated): "uploaded, and never set as the song's cover"
        case (.orphan, .cleared): "the song's cover was taken away on purpose"
        case (.orphan, .superseded): "the post got another file, and the old one stayed"
        case (.orphan, .detached): "the album's list does not hold the image"
        case (.orphan, .ownerless): "the song was deleted; one name is hostile"
        case (.orphan, _): "no key template fits the name"
        case (.dangling, .missing): "the file was removed, and the record still holds its key"
        case (.dangling, .quarantined): "the file lies in quarantine, and a song wants it"
        case (.dangling, _): "the post names a bucket that is not configured"
        case (.shared, _): "two songs hold the same key"
        case (.invalidKey, _): "a key with a leading slash; a null in a list"
        case (.emptyObject, _): "a cover of zero bytes"
        default: "a comment links to the file, so it is protected"
        }
    }
}
