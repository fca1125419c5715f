// The demo's configurations.

extension DemoTexts {
    /// Each configuration by the name of its file.
    static let configurations = [
        ("mooring.yaml", configuration), ("mooring-wrong-prefix.yaml", wrongPrefix),
    ]

    /// The demo's `mooring.yaml`.
    static let configuration = text(
        about: """
            # The configuration of the demo: a small music-and-photos app.
            # Paths start at this file's folder.
            """,
        ledger: "mooring.ledger", albumLevel: "protected", reports: "Reports/Runs")

    /// The same with one mistake, which makes a mass of findings that are none.
    static let wrongPrefix = text(
        about: """
            # mooring.yaml with one mistake: images of albums lie at protected/, not at private/.
            # It has a ledger and reports of its own, so that it disturbs nothing.
            """,
        ledger: "wrong-prefix.ledger", albumLevel: "private",
        reports: "Reports/WrongPrefix")

    private static func text(
        about: String, ledger: String, albumLevel: String, reports: String
    ) -> String {
        """
        \(about)
        version: 1

        # All of Mooring's own state: runs, findings, plans and the journal of repairs.
        ledger: ./\(ledger)

        \(records(albumLevel: albumLevel))
        \(rules(reports: reports))

        """
    }

    private static func records(albumLevel: String) -> String {
        """
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
                visibility: owner           # who may read it: a file that more can read is exposed
                files:
                  - field: coverArtKey
                    level: private
                    template: "{id}.png"    # how keys are made: it names an orphan's owner
              # A list of keys a record. A file lies at \(albumLevel)/{identity}/{key}.
              - model: PhotoAlbum
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                identity: ownerIdentity
                files:
                  - field: imageKeys
                    list: true
                    level: \(albumLevel)
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
        \(restOfRecords)
        """
    }

    // What holds no files of its own, or few, and the copy.
    private static let restOfRecords = """
              # No files here. Its column `text` is not named: Mooring still looks for keys in it.
              - model: Comment
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                relations:
                  - {field: postID, model: Post}
              # The value is the whole key, and only the owner may read it.
              - model: Contract
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                visibility: owner
                files:
                  - {field: fileKey, level: root}
              # Rows that only join two records.
              - model: PostSong
                join: true
                version: _version
                changed: _lastChangedAt
                deleted: _deleted
                relations:
                  - {field: postID, model: Post}
                  - {field: songID, model: Song}
          # A phone's own copy of the records: the same tables, and what it has of them.
          - name: phone
            sqlite: ./phone.sqlite
            replicaOf: app

        """

    private static func rules(reports: String) -> String {
        """
        # Where files live. Removed files are not deleted: they wait in .mooring/quarantine/.
        buckets:
          - name: media
            directory: ./files
            derived: ["thumbs/{key}"]       # made from other files: they live while those do

        # How long a device may take to associate an upload (1 h), and to write an old copy of a
        # record back (3 d). What is younger than both together is explained, and left alone.
        race:
          preset: standard

        # What `plan` proposes. `mooring run` changes nothing while apply is false.
        repair:
          apply: false
          orphan: quarantine
          dangling: nullify
          dangling-relation: keep
          stale-copy: requery               # the phone's row is made to say what the app's says
          overrides:
            # One record's object lies in quarantine. Take the next line out, and the next plan
            # gives it back.
            - {cause: quarantined, dangling: keep}
            # An image that dropped out of a list goes back into it.
            - {model: PhotoAlbum, cause: lost-update, orphan: relink}
            # A name that is only spelled otherwise is spelled as the file's.
            - {cause: twin, dangling: repoint}
            # A comment on a post that never came is a comment on none.
            - {model: Comment, cause: missing-parent, dangling-relation: nullify}
          retention: 30d

        # A plan that would remove more than this share of all files is refused.
        limits: {orphanShare: 1%}

        # `mooring check` fails when one of these does not hold.
        gates: ["dangling.settled == 0"]

        report: {directory: \(reports), formats: [json, html, text]}
        """
    }
}
