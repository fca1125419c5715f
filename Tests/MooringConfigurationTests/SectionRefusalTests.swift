import MooringConfiguration
import MooringModel
import Testing

struct SectionRefusalTests {
    private static let kinds =
        "sqlite, csv, jsonl, parquet, postgres, dynamodb, dynamodbExport, appsync and datastore"

    @Test(
        "a source needs one kind",
        arguments: [
            ("", "3: source 'app' names no store; write one of " + kinds),
            (
                "sqlite: a\n    csv: b",
                "3: source 'app' names sqlite and csv; keep one of them"
            ),
            (
                "sqlit: a",
                "3: source 'app' names no store; write one of " + kinds
                    + "\nmooring.yaml:4: unknown key 'sqlit'; did you mean 'sqlite'?"
            ),
            (
                "csv: a\n    taken: yesterday",
                "5: 'taken' needs a moment such as 2026-11-21T02:00:00Z; found 'yesterday'"
            ),
            ("sqlite: a\n    replicaOf: app", "5: source 'app' cannot be a replica of itself"),
            ("sqlite: a\n    replicaOf: ap", "5: unknown source 'ap'; there is none"),
            (
                "sqlite: a\n    race: {preset: of}",
                "5: unknown preset 'of'; known here: standard, offline, testing"
            ),
        ])
    func sources(lines: String, message: String) {
        let text = Sample.replacing("sqlite: ./app.sqlite", lines.isEmpty ? "# none" : lines)
        #expect(Sample.refusal(text) == "mooring.yaml:" + message)
    }

    @Test("names are needed, and no two are the same")
    func names() {
        let twice = """
            version: 1
            records:
              - {name: a, sqlite: a.db, models: [{model: M}, {model: M}]}
              - {name: a, sqlite: b.db, models: []}
              - {sqlite: c.db}
              - {name: b, sqlite: b.db}
              - {name: c, sqlite: c.db, replicaOf: d}
              - {name: d, sqlite: c.db, replicaOf: a}
            buckets:
              - {name: x, directory: x}
              - {name: x, directory: y}
            """
        #expect(
            Sample.refusal(twice) == """
                mooring.yaml:3: there is another model called 'M'
                mooring.yaml:4: there is another source called 'a'
                mooring.yaml:5: 'name' is missing in entry 3 of 'records'; every source needs one
                mooring.yaml:6: 'models' is missing in entry 4 of 'records'; without one no record \
                references anything
                mooring.yaml:7: 'd' is a replica itself; name the source that it copies
                mooring.yaml:11: there is another bucket called 'x'
                """)
    }

    @Test(
        "a model's keys are checked",
        arguments: [
            ("tabel: x", "7: unknown key 'tabel'; did you mean 'table'?"),
            ("id: []", "7: 'id' needs the name of a column, or a list of them"),
            ("id: [a, a]", "7: 'id' names a column twice"),
            ("id: {a: b}", "7: 'id' needs a list; found a map"),
            (
                "changed: at\nchangedBy: servr",
                "8: unknown changedBy 'servr'; did you mean 'server'?"
            ),
            ("changedBy: device", "7: 'changedBy' needs 'changed', the column of the time"),
            (
                "visibility: all",
                "7: unknown visibility 'all'; known here: owner, signed-in, anyone"
            ),
            ("join: true", "7: a join table needs two relations or more"),
            (
                "changed: at\nzone: Mars/Base",
                "8: 'zone' is UTC, an offset such as +02:00, or a name such as Europe/Berlin; "
                    + "found 'Mars/Base'"
            ),
            (
                "files: [{list: true}]",
                "7: 'field' is missing in entry 1 of 'files'; every file field needs one"
            ),
            ("files: [{field: a}, {field: a}]", "7: there is another file field called 'a'"),
            ("files: [key]", "7: entry 1 of 'files' needs a map; found 'key'"),
            (
                "files: [{field: a, level: privat}]",
                "7: unknown level 'privat'; did you mean 'private'?"
            ),
            (
                "files: [{field: a, level: team}]",
                "7: unknown level 'team'; known here: guest, protected, private, any, root"
            ),
            (
                "files: [{field: a, bucket: medai}]",
                "7: unknown bucket 'medai'; did "
                    + "you mean 'media'?"
            ),
            (
                "files: [{field: a, template: '{ID}'}]",
                "7: the template '{ID}' holds a brace that is none of {id}, {uuid}, {field:NAME} "
                    + "and {*}"
            ),
            (
                "relations: [{field: a}]",
                "7: 'model' is missing in entry 1 of 'relations'; name the model that it points to"
            ),
            (
                "relations: [{field: a, model: Songs}]",
                "7: unknown model 'Songs'; did you mean 'Song'?"
            ),
        ])
    func models(keys: String, message: String) {
        #expect(Sample.refusal(Sample.model(keys)) == "mooring.yaml:" + message)
    }

    @Test("a field must name its bucket where there are several, unless its objects do")
    func severalBuckets() throws {
        let other = "\n  - {name: other, directory: other}"
        #expect(
            Sample.refusal(Sample.model("files: [{field: a}]") + other)
                == "mooring.yaml:7: 'bucket' is missing in entry 1 of 'files'; there are several: "
                + "media and other")
        let complex = try Sample.read(Sample.model("files: [{field: a, complex: true}]") + other)
        #expect(complex.records[0].mapping.models[0].files[0].bucket == nil)
        let named = try Sample.read(Sample.model("files: [{field: a, bucket: other}]") + other)
        #expect(named.records[0].mapping.models[0].files[0].bucket == "other")
    }

    @Test("a bucket with a problem brings no second problem where it is named")
    func noFollowUps() {
        let text = Sample.model("files: [{field: a, bucket: media}]")
            .replacing("directory: ./files", with: "listing: list.csv\n    s3: {bucket: b}")
        #expect(
            Sample.refusal(text)
                == "mooring.yaml:9: bucket 'media' names listing and s3; keep one of them")
    }

    @Test(
        "a bucket's keys are checked",
        arguments: [
            (
                "prefixes: []",
                "10: 'prefixes' is empty, so nothing would be looked at; leave it "
                    + "out to look at everything"
            ),
            ("prefixes: a/", "10: 'prefixes' needs a list; found 'a/'"),
            ("prefixes: [/a]", "10: a prefix must not begin with a slash, since keys do not: '/a'"),
            ("ignore: ['']", "10: a pattern of 'ignore' is empty"),
            ("trust: atime", "10: unknown trust 'atime'; did you mean 'mtime'?"),
            (
                "taken: 2026-11-21",
                "10: 'taken' belongs to a listing or an inventory; a folder is read live"
            ),
            ("quarantine: ''", "10: 'quarantine' needs a text that is not empty"),
            ("quarantine: /q", "10: 'quarantine' must not begin with a slash"),
            (
                "quarantine: " + String(repeating: "q", count: 513),
                "10: 'quarantine' must not be longer than 512 bytes"
            ),
            (
                "quarantine: .mooring/lease/",
                "10: 'quarantine' must not be .mooring/lease, where Mooring's lease lies"
            ),
            (
                "quarantine: a/../b",
                "10: 'quarantine' must not hold an empty component, '.' or '..'"
            ),
            ("quarantine: a//b", "10: 'quarantine' must not hold an empty component, '.' or '..'"),
            ("quarantine: ./q", "10: 'quarantine' must not hold an empty component, '.' or '..'"),
            ("quarantine: \"a\\nb\"", "10: 'quarantine' must not hold control characters"),
            (
                "quarantine: {bucket: b, prefix: q}",
                "10: a quarantine in another bucket needs an s3 bucket; write a prefix such as "
                    + ".mooring/quarantine/"
            ),
            (
                "quarantine: trash\nprefixes: [a/, trash/b/]",
                "11: the prefix 'trash/b/' lies in the quarantine 'trash/', where "
                    + "nothing is looked at"
            ),
            (
                "derived: [thumbs]",
                "10: a pattern of 'derived' needs {key} once and something around it, such as "
                    + "thumbs/{key}; found 'thumbs'"
            ),
        ])
    func buckets(keys: String, message: String) {
        #expect(Sample.refusal(Sample.bucket(keys)) == "mooring.yaml:" + message)
    }

    @Test(
        "the repair policy is checked",
        arguments: [
            (
                "orphan: quarantin",
                "unknown strategy for 'orphan': 'quarantin'; did you mean 'quarantine'?"
            ),
            (
                "orphan: nullify",
                "unknown strategy for 'orphan': 'nullify'; known here: keep, requery, tag, "
                    + "quarantine, delete, relink"
            ),
            (
                "shared: keep",
                "unknown key 'shared'; known here: apply, orphan, dangling, "
                    + "abandoned-upload, dangling-relation, stale-copy, overrides, retention"
            ),
            (
                "overrides: [{orphan: keep}]",
                "an override needs a condition: model, cause, prefix or source"
            ),
            (
                "overrides: [{cause: cleared}]",
                "an override needs what to do, such as 'orphan: keep'"
            ),
            (
                "overrides: [{model: Sonq, orphan: keep}]",
                "unknown model 'Sonq'; did you mean 'Song'?"
            ),
            (
                "overrides: [{source: phone, orphan: keep}]",
                "unknown source 'phone'; known here: app"
            ),
            (
                "overrides: [{cause: clear, orphan: keep}]",
                "unknown cause 'clear'; did you mean 'cleared'?"
            ),
            ("overrides: [{prefix: '', orphan: keep}]", "'prefix' needs a text that is not empty"),
            (
                "overrides: [{cause: missing, orphan: keep}]",
                "the cause 'missing' never belongs to 'orphan', which has unassociated, cleared, "
                    + "superseded, detached, lost-update, ownerless, "
                    + "unknown-identity or unattributed"
            ),
            (
                "overrides: [{cause: cleared, abandoned-upload: keep}]",
                "the cause 'cleared' never belongs to 'abandoned-upload', which has no causes"
            ),
            (
                "overrides: [{cause: superseded, orphan: relink}]",
                "'orphan: relink' never fits the cause 'superseded', which takes keep, requery, "
                    + "tag, quarantine or delete"
            ),
        ])
    func repair(entry: String, message: String) {
        let text = Sample.with("repair: {\(entry)}")
        #expect(Sample.refusal(text) == "mooring.yaml:10: " + message)
    }

    @Test("an override of an unknown condition says so")
    func unknownCondition() {
        let text = Sample.with(
            "repair: {overrides: [{model: Song, verdict: settled, orphan: keep}]}")
        #expect(
            Sample.refusal(text) == "mooring.yaml:10: unknown key 'verdict'; known here: model, "
                + "cause, prefix, source, orphan, dangling, abandoned-upload, dangling-relation, "
                + "stale-copy")
    }
}
