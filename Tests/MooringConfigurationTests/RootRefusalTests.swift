import MooringConfiguration
import MooringModel
import Testing

struct RootRefusalTests {
    @Test("a version that is missing, newer or no number is refused")
    func version() {
        #expect(
            Sample.refusal(Sample.replacing("version: 1\n", ""))
                == "mooring.yaml:1: 'version' is missing in the file; write 'version: 1' at the top"
        )
        #expect(
            Sample.refusal(Sample.replacing("version: 1", "version: 2\nfuture: x"))
                == "mooring.yaml:1: version 2 is newer than this mooring, which reads version 1")
        #expect(
            Sample.refusal(Sample.replacing("version: 1", "version: 0"))
                == "mooring.yaml:1: version 0 is not known to this mooring, which reads version 1")
        #expect(
            Sample.refusal(Sample.replacing("version: 1", "version: one"))
                == "mooring.yaml:1: 'version' needs a whole number; found 'one'")
    }

    @Test("an unknown key names its line and the nearest known one, if one is near")
    func unknownKeys() {
        #expect(
            Sample.refusal(Sample.replacing("buckets:", "bukets:"))
                == "mooring.yaml:1: 'buckets' is missing in the file; name at least one bucket\n"
                + "mooring.yaml:7: unknown key 'bukets'; did you mean 'buckets'?")
        #expect(
            Sample.refusal(Sample.with("limits: {colour: 1%}"))
                == "mooring.yaml:10: unknown key 'colour'; known here: orphanShare, recordShare, "
                + "steps, bytes, referenceDrop, objectDrop, planExpiry")
        #expect(
            Sample.refusal(Sample.with("? [a, b]\n: 1"))
                == "mooring.yaml:10: a key must be a text; found a list")
        #expect(
            Sample.refusal(Sample.with("repair: {<<: {apply: true}}"))
                == "mooring.yaml:10: merge keys ('<<') are not read; repeat the keys")
    }

    @Test("several problems are reported together, in the order of their lines")
    func several() {
        let text = Sample.with(
            """
            limits: {steps: many}
            confirm: sometimes
            rase: {}
            """
        ).replacing("directory:", with: "folder:")
        #expect(
            Sample.refusal(text) == """
                mooring.yaml:8: bucket 'media' names no store; write one of directory, \
                listing, s3 and inventory
                mooring.yaml:9: unknown key 'folder'; known here: name, directory, listing, s3, \
                inventory, inventoryAge, taken, trust, prefixes, ignore, quarantine, derived, \
                limits
                mooring.yaml:10: 'steps' needs a whole number; found 'many'
                mooring.yaml:11: unknown confirm 'sometimes'; known here: auto, always, never
                mooring.yaml:12: unknown key 'rase'; did you mean 'race'?
                """)
    }

    @Test(
        "a value of a wrong type is refused with its line",
        arguments: [
            ("ledger: [a]", "'ledger' needs a text; found a list"),
            ("ledger: {a: b}", "'ledger' needs a text; found a map"),
            ("ledger:", "'ledger' is empty; write a value or leave it out"),
            ("ledger: ''", "'ledger' needs a text that is not empty"),
            ("ledger: ~/x", "'ledger': '~' is not read as the home folder; write ${HOME}"),
            ("ledger: \"a\\0b\"", "'ledger' needs a path; found a NUL in it"),
            ("ledger: http://u:p@h/x", "'ledger' needs the path of a file; found a URL"),
            ("race: fast", "'race' needs a map; found 'fast'"),
            ("race:", "'race' needs a map; found nothing"),
            ("gates: dangling == 0", "'gates' needs a list; found 'dangling == 0'"),
            ("repair: {apply: yes}", "'apply' needs true or false; found 'yes'"),
            ("repair: {apply: on}", "'apply' needs true or false; found 'on'"),
            ("repair: {apply: True}", "'apply' needs true or false; found 'True'"),
            ("repair: {apply: 1}", "'apply' needs true or false; found '1'"),
            ("repair: {apply: 'true'}", "'apply' needs true or false; found the text 'true'"),
            (
                "limits: {steps: 1.5}",
                "'steps' needs a whole number; found '1.5'"
            ),
            (
                "limits: {steps: -1}", "'steps' needs a whole number; found '-1'"
            ),
            (
                "limits: {steps: 99999999999999999999}",
                "'steps' needs a whole number; found '99999999999999999999'"
            ),
            (
                "limits: {orphanShare: 1}",
                "'orphanShare' needs a share from 0% to 100%, such as 1% or 0.5%; found '1'"
            ),
            (
                "limits: {orphanShare: 101%}",
                "'orphanShare' needs a share from 0% to 100%, such as 1% or 0.5%; found '101%'"
            ),
            (
                "limits: {bytes: 100}",
                "'bytes' needs a size with its unit, such as 17B, 1GB or 256MiB; found '100'"
            ),
            (
                "limits: {planExpiry: 24}",
                "'planExpiry' needs a duration with its unit, such as 50m, 3d or 1h30m; found '24'"
            ),
            (
                "report: {keep: 90}",
                "'keep' needs a duration with its unit, such as 50m, 3d or 1h30m; found '90'"
            ),
            (
                "limits: {planExpiry: 36501d}",
                "'planExpiry' needs a duration of at most 36500d; found '36501d'"
            ),
            (
                "limits: {bytes: 9999999999999TB}",
                "'bytes' needs a size below 9223372 TB; found '9999999999999TB'"
            ),
            (
                "identities: {}",
                "'file' is missing in 'identities'; name the CSV file of users and identities"
            ),
            ("report: {formats: json}", "'formats' needs a list; found 'json'"),
            ("report: {formats: []}", "'formats' names no format"),
            ("report: {formats: [jsn]}", "unknown format 'jsn'; did you mean 'json'?"),
            (
                "report: {formats: [null]}",
                "entry 1 of 'formats' is empty; write a value or leave it out"
            ),
            (
                "report: {formats: [json, junt]}",
                "unknown format 'junt'; did you mean 'junit'?"
            ),
            ("levels: {any: x/}", "a level cannot be called 'any', which stands for itself"),
            ("levels: {a: /x/}", "the level 'a' must not begin with a slash, since keys do not"),
            (
                "levels: {a: \"{identity}/{identity}\"}",
                "the level 'a' holds {identity} more than once"
            ),
            ("levels: {a: \"{sub}/\"}", "the level 'a' holds a brace that is not {identity}"),
        ])
    func values(line: String, message: String) {
        #expect(Sample.refusal(Sample.with(line)) == "mooring.yaml:10: " + message)
    }

    @Test("lists of records and buckets must be there and hold something")
    func emptyLists() {
        let text = """
            version: 1
            records: []
            buckets: []
            """
        #expect(
            Sample.refusal(text)
                == "mooring.yaml:2: 'records' names no source\n"
                + "mooring.yaml:3: 'buckets' names no bucket")
        #expect(
            Sample.refusal("version: 1")
                == "mooring.yaml:1: 'buckets' is missing in the file; name at least one bucket\n"
                + "mooring.yaml:1: 'records' is missing in the file; name at least one source")
    }

    @Test(
        "race windows hold together",
        arguments: [
            ("{preset: slow}", "unknown preset 'slow'; known here: standard, offline, testing"),
            ("{relink: nevr}", "unknown relink 'nevr'; did you mean 'never'?"),
            (
                "{conflicts: merge}",
                "unknown conflicts 'merge'; known here: none, optimistic, automerge, lambda"
            ),
            (
                "{offlineWindow: 30d, uploadWindow: 1h}",
                "'uploadWindow' (1h) is shorter than 'offlineWindow' (30d), and a device may act "
                    + "when it returns; make it at least as long"
            ),
            (
                "{preset: offline, staleWindow: 3d}",
                "'staleWindow' (3d) is shorter than 'offlineWindow' (30d), and a device may act "
                    + "when it returns; make it at least as long"
            ),
        ])
    func race(value: String, message: String) {
        #expect(Sample.refusal(Sample.with("race: " + value)) == "mooring.yaml:10: " + message)
    }

    @Test("windows that are not written grow to the offline window")
    func offlineWindow() throws {
        let race = try Sample.read(Sample.with("race: {offlineWindow: 30d}")).race
        #expect(race.uploadWindow == .days(30))
        #expect(race.staleWindow == .days(30))
        let optimistic = try Sample.read(
            Sample.with("race: {offlineWindow: 30d, conflicts: optimistic, staleWindow: 0s}")
        ).race
        #expect(optimistic.staleWindow == .zero)
        let own = try Sample.read(
            Sample.replacing("    models:", "    race: {staleWindow: 5d}\n    models:")
                + "\nrace: {uploadWindow: 2h}")
        #expect(own.race.staleWindow == .days(3))
        #expect(own.records[0].race.staleWindow == .days(5))
        #expect(own.records[0].race.uploadWindow == .hours(2))
    }

    @Test("keys that turn a guard off are named")
    func guardsOff() throws {
        let configuration = try Sample.read(
            Sample.with(
                """
                limits:
                  {orphanShare: 100%, recordShare: 100%, referenceDrop: 100%, objectDrop: 100%}
                confirm: never
                race: {preset: testing}
                """))
        #expect(
            configuration.guardsOff == [
                "limits.orphanShare: 100% turns off the guard against removing too many objects.",
                "limits.recordShare: 100% turns off the guard against changing too many records.",
                "limits.referenceDrop: 100% turns off the guard against a loss of references.",
                "limits.objectDrop: 100% turns off the guard against a loss of objects.",
                "confirm: never turns off the confirm scan, so nothing is repaired.",
                "race.uploadWindow: 0s turns off the wait for uploads on their way.",
            ])
    }
}
