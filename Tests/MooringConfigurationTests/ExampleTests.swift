import MooringConfiguration
import MooringModel
import Testing

struct ExampleTests {
    // The example of the documentation without the kinds and strategies of later versions.
    private let example = """
        version: 1
        ledger: ./mooring.ledger            # SQLite; created when missing

        records:
          - name: app
            sqlite: ./app.sqlite            # exactly one kind a source
            models:
              - model: Song
                table: Song
                id: id
                version: _version
                changed: _lastChangedAt
                changedBy: server
                deleted: _deleted
                identity: ownerIdentity
                visibility: owner
                files:
                  - field: coverArtKey
                    level: private
                    bucket: media
                    template: "{id}"
              - model: PhotoAlbum
                files:
                  - field: imageKeys
                    list: true
                    template: "{id}-{uuid}"
              - model: Post
                files:
                  - field: file
                    complex: true
                    template: "{*}"
              - model: Comment
                relations:
                  - field: postID
                    model: Post
                    cascade: true
              - model: PostEditor
                join: true
                relations: [{field: postID, model: Post}, {field: editorID, model: User}]
          - name: phone
            sqlite: ./phone.sqlite
            replicaOf: app

        buckets:
          - name: media
            directory: ./files
            prefixes: [""]
            ignore: ["public/static/**"]
            quarantine: .mooring/quarantine/
            derived: ["thumbs/{key}"]

        levels:
          guest: "public/"
          protected: "protected/{identity}/"
          private: "private/{identity}/"

        race:
          preset: standard
          uploadWindow: 1h
          staleWindow: 3d
          offlineWindow: 0s
          multipartWindow: 7d
          clockBound: 5m
          conflicts: none
          relink: possible

        confirm: auto

        repair:
          apply: false
          orphan: quarantine
          dangling: nullify
          abandoned-upload: keep
          dangling-relation: keep
          stale-copy: requery
          overrides:
            - {cause: cleared, orphan: keep}
            - {cause: lost-update, orphan: keep}
            - {prefix: "protected/", orphan: keep}
          retention: 30d
        limits: {orphanShare: 1%, steps: 10000, bytes: 100GiB, referenceDrop: 20%, planExpiry: 24h}
        gates: ["dangling.settled == 0", "orphan.settled.bytes < 1GiB", "new.dangling == 0"]
        report: {directory: Reports/Runs, formats: [json, html, text], keep: 90d}
        """

    @Test("the documented example gives its records")
    func records() throws {
        let configuration = try Sample.read(example)
        let app = try #require(configuration.records.first)
        #expect(configuration.ledger == "/app/mooring.ledger")
        #expect(app.store == .sqlite(path: "/app/app.sqlite", taken: nil))
        #expect(
            app.mapping.models.map(\.model) == [
                "Song", "PhotoAlbum", "Post", "Comment", "PostEditor",
            ])
        let song = ModelMapping(
            model: "Song", version: "_version", changed: "_lastChangedAt", deleted: "_deleted",
            identity: "ownerIdentity", visibility: .owner,
            files: [
                FileField(
                    field: "coverArtKey", level: .named("private"), bucket: "media",
                    template: KeyTemplate("{id}"))
            ])
        #expect(app.mapping.models.first == song)
        #expect(app.mapping.models[1].files.first?.isList == true)
        #expect(app.mapping.models[2].files.first?.isComplex == true)
        #expect(
            app.mapping.models[3].relations
                == [Relation(field: "postID", model: "Post", cascade: true)])
        #expect(app.mapping.models[4].isJoin)
        #expect(
            configuration.warnings == [
                "records app: PostEditor.editorID points to User, which is no model of any "
                    + "source, so it is not checked"
            ])
    }

    @Test("a replica without models has those of its authority")
    func replica() throws {
        let configuration = try Sample.read(example)
        let phone = try #require(configuration.records.last)
        #expect(phone.replicaOf == "app")
        #expect(phone.mapping.source == "phone")
        #expect(phone.mapping.models == configuration.records[0].mapping.models)
    }

    @Test("the documented example gives its bucket, policy, limits, gates and report")
    func others() throws {
        let configuration = try Sample.read(example)
        #expect(
            configuration.buckets.map(\.store) == [.directory(path: "/app/files", trust: .mtime)])
        var mapping = BucketMapping(
            name: "media", ignore: [Glob("public/static/**")], derived: ["thumbs/{key}"])
        mapping.isFolder = true
        #expect(configuration.buckets.map(\.mapping) == [mapping])
        #expect(configuration.levels == AccessLevel.amplify)
        #expect(configuration.race == RaceBounds())
        #expect(configuration.confirm == .auto)
        #expect(configuration.limits == Limits())
        #expect(configuration.repair.strategies == RepairPolicy.defaultStrategies)
        #expect(
            configuration.repair.overrides == RepairPolicy.defaultOverrides
                + RepairPolicy.defaultOverrides + [
                    RepairPolicy.Override(
                        prefix: ObjectKey("protected/"), strategies: [.orphan: .keep])
                ])
        #expect(configuration.gates.map(\.value) == [0, 1 << 30, 0])
        #expect(configuration.gates.map(\.newOnly) == [false, false, true])
        #expect(configuration.report.directory == "/app/Reports/Runs")
        #expect(configuration.report.formats == [.json, .html, .text])
        #expect(configuration.report.keep == .days(90))
        #expect(configuration.guardsOff.isEmpty)
    }

    @Test("what the file leaves out has the documented defaults")
    func defaults() throws {
        let short = try Sample.read(Sample.minimal)
        let long = try Sample.read(
            Sample.with(
                """
                ledger: mooring.ledger
                race: {preset: standard}
                confirm: auto
                repair: {apply: false, orphan: quarantine, dangling: nullify, retention: 30d}
                limits: {orphanShare: 1%, steps: 10000, bytes: 100GiB, referenceDrop: 20%}
                report: {directory: Reports/Runs, formats: [json, html, text], keep: 90d}
                """))
        #expect(short == long)
    }

    @Test("aliases, other paths and kinds, and plain words that YAML 1.1 takes for others")
    func variants() throws {
        let configuration = try Sample.read(
            """
            version: 1
            ledger: ../state//./ledger.db
            records:
              - name: no
                csv: /data/../exports/songs.csv
                taken: 2026-11-21T02:00:00Z
                race: &race {preset: offline, conflicts: automerge, relink: never}
                models: &models
                  - model: 123
                    id: [pk, sk]
              - {name: on, jsonl: songs.jsonl, race: *race, models: *models}
            buckets:
              - {name: media, listing: objects.csv.gz, taken: 2026-11-21, prefixes: [b/, a/b/, a/]}
              - {name: local, directory: files, trust: ctime, quarantine: trash}
              - {name: past, inventory: s3/manifest.json, taken: 2026-11-21T02:00:00Z}
            levels: {team: "teams/{identity}/files/", guest: "open/"}
            """)
        #expect(configuration.ledger == "/state/ledger.db")
        #expect(configuration.records.map(\.name) == ["no", "on"])
        let taken = try #require(Instant(iso8601: "2026-11-21T02:00:00Z"))
        #expect(configuration.records[0].store == .csv(path: "/exports/songs.csv", taken: taken))
        #expect(configuration.records[1].store == .jsonl(path: "/app/songs.jsonl", taken: nil))
        #expect(configuration.records[1].mapping.models[0].model == "123")
        #expect(configuration.records[1].mapping.models[0].id == ["pk", "sk"])
        #expect(configuration.records[1].race.uploadWindow == .days(30))
        #expect(configuration.records[1].race.conflicts == .automerge)
        #expect(!configuration.records[1].race.relinkPossible)
        #expect(configuration.race == RaceBounds())
        #expect(configuration.buckets[0].mapping.prefixes == [ObjectKey("a/"), ObjectKey("b/")])
        #expect(configuration.buckets[1].store == .directory(path: "/app/files", trust: .ctime))
        #expect(configuration.buckets[1].mapping.quarantine == ObjectKey("trash/"))
        let past = configuration.buckets[2].store
        #expect(past == .inventory(path: "/app/s3/manifest.json", taken: taken))
        #expect(past.kind == "inventory")
        #expect(configuration.levels.map(\.name) == ["guest", "protected", "private", "team"])
        #expect(configuration.levels[0].head == Array("open/".utf8))
        #expect(configuration.levels[3].tail == Array("/files/".utf8))
    }
}
