import Foundation
import MooringAWS
import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringAppSync

/// What a write does under each conflict mode, and what is told where it did not hold.
@Suite("AppSync: writes", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncUpdateTests {
    private func load(_ stage: AppSyncStage, _ more: String = "") throws {
        try stage.api.load(
            """
            {"Song": [{"id": "s1", "title": "One", "cover": "a/b", "images": ["x", "y"],
              "file": {"bucket": "b", "key": "k", "region": "r"}\(more)}]}
            """)
    }

    private func row(_ stage: AppSyncStage) throws -> [String: Any] {
        try stage.api.rows("Song").first ?? [:]
    }

    private let nulling: [(String, FieldValue)] = [("cover", .null)]
    private let held: [(String, FieldValue)] = [("cover", .text("a/b"))]

    @Test("Without versions a write is conditional on the old values, null and all")
    func conditional() async throws {
        let stage = try await AppSyncStage()
        try load(stage)
        #expect(
            try await stage.source.update(
                stage.change("s1", expecting: held + [("isLive", .null)], setting: nulling))
                == .written)
        let texts = try stage.api.texts(of: "updateSong")
        #expect(texts.first?.contains("$condition: ModelSongConditionInput") == true)
        // Devices that subscribe get what the mutation asks back.
        #expect(texts.first?.contains("postID") == true)
        #expect(try row(stage)["cover"] is NSNull)
        try stage.api.fault(
            """
            [{"kind": "write", "on": "updateSong", "times": 1, "model": "Song",
              "values": {"id": "s1", "cover": "other"}}]
            """)
        let late = stage.change(
            "s1", expecting: [("cover", .null)], setting: [("cover", .text("a/b"))])
        #expect(
            try await stage.source.update(late).staleness?.hasPrefix(
                "another writer came between (") == true)
        #expect(try row(stage)["cover"] as? String == "other")
    }

    @Test("Without versions a list or an object is not written, in words")
    func incomparable() async throws {
        let stage = try await AppSyncStage()
        try load(stage)
        let columns: [(String, FieldValue, String)] = [
            (
                "images", .json("[\"x\",\"y\"]"),
                "images is a list, which no condition of a mutation compares, and the API detects "
                    + "no conflicts"
            ),
            (
                "file",
                .json("{\"bucket\":\"b\",\"key\":\"k\",\"place\":null,\"region\":\"r\"}"),
                "cannot be compared"
            ),
        ]
        for (column, value, words) in columns {
            let change = stage.change(
                "s1", expecting: [(column, value)], setting: [(column, .null)])
            await #expect {
                _ = try await stage.source.update(change)
            } throws: { error in
                guard let error = error as? StoreError else { return false }
                return error.isRefusal && error.reason.contains(words)
            }
        }
        #expect(try stage.api.log().contains("updateSong") == false)
    }

    @Test("With versions lists and objects are written, and the version moves by one")
    func versioned() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try load(stage)
        let change = stage.change(
            "s1", expecting: [("images", .json("[\"x\",\"y\"]")), ("_version", .integer(1))],
            setting: [("images", .json("[\"y\"]")), ("_version", .integer(2))])
        #expect(try await stage.source.update(change) == .written)
        #expect(
            try await stage.row("s1", ["images", "_version"]) == [.json("[\"y\"]"), .integer(2)])
        let object = "{\"bucket\":\"b\",\"key\":\"k\",\"place\":null,\"region\":\"r\"}"
        let other = stage.change(
            "s1", expecting: [("file", .json(object)), ("_version", .integer(2))],
            setting: [("file", .null), ("_version", .integer(3))])
        #expect(try await stage.source.update(other) == .written)
        let fence = stage.change(
            "s1", expecting: [("_version", .integer(3))], setting: [("_version", .integer(4))])
        #expect(try await stage.source.update(fence) == .written)
        #expect(try await stage.row("s1", ["_version"]) == [.integer(4)])
    }

    @Test("Versions that only the app keeps are fields like any other")
    func ownVersions() async throws {
        let models = """
            {"Song": {"fields": {"id": "ID!", "cover": "String", "_version": "Int",
              "_deleted": "Boolean", "_lastChangedAt": "AWSTimestamp"}}}
            """
        let stage = try await AppSyncStage(models: models)
        try stage.api.load(#"{"Song": [{"id": "s1", "cover": "a/b", "_version": 3}]}"#)
        try stage.api.fault(
            """
            [{"kind": "write", "on": "updateSong", "times": 1, "model": "Song",
              "values": {"id": "s1", "_version": 4}}]
            """)
        func nulling(_ version: Int64) -> RecordChange {
            stage.change(
                "s1", expecting: held + [("_version", .integer(version))],
                setting: [("cover", .null), ("_version", .integer(version + 1))])
        }
        #expect(try await stage.source.update(nulling(3)).staleness != nil)
        #expect(try await stage.source.update(nulling(4)) == .written)
        #expect(try row(stage)["_version"] as? Int == 5)
        let removal = stage.change(
            "s1", expecting: [("_deleted", .null)], setting: [("_deleted", .integer(1))])
        #expect(try await stage.source.update(removal) == .written)
        #expect(try stage.api.log().contains("deleteSong") == false)
    }

    @Test("A device that comes between is a conflict: the write is stale")
    func conflict() async throws {
        for mode in ["optimistic", "lambda-reject"] {
            let stage = try await AppSyncStage(mode: mode)
            try load(stage)
            try stage.api.fault(
                """
                [{"kind": "write", "on": "updateSong", "times": 1, "model": "Song",
                  "values": {"id": "s1", "title": "Two"}}]
                """)
            let change = stage.change("s1", expecting: held, setting: nulling)
            let outcome = try await stage.source.update(change)
            #expect(outcome.staleness?.contains("ConflictUnhandled") == true)
            #expect(try row(stage)["cover"] as? String == "a/b")
        }
    }

    @Test(
        "A writer past the API, who moves no version, makes the write stale",
        arguments: ["optimistic", "automerge"])
    func direct(_ mode: String) async throws {
        let writes: [(String, FieldValue, FieldValue, String)] = [
            ("cover", .text("a/b"), .null, #""cover": "other""#),
            ("isLive", .null, .json("true"), #""isLive": false"#),
            (
                "images", .json(#"["x","y"]"#), .json(#"["y"]"#),
                #""images": ["z"], "updatedAt": "2026-02-02T00:00:00.000Z""#
            ),
        ]
        for (column, old, new, written) in writes {
            let stage = try await AppSyncStage(mode: mode)
            try load(stage)
            try stage.api.fault(
                """
                [{"kind": "direct", "on": "updateSong", "times": 1, "model": "Song",
                  "values": {"id": "s1", \(written)}}]
                """)
            let change = stage.change(
                "s1", expecting: [(column, old), ("_version", .integer(1))],
                setting: [(column, new), ("_version", .integer(2))])
            let outcome = try await stage.source.update(change)
            #expect(outcome.staleness?.contains("another writer") == true, "\(column)")
            #expect(try row(stage)["_version"] as? Int == 1)
        }
    }

    @Test("What an API merged away did not hold, and is told as such")
    func merged() async throws {
        for (column, old, new) in [
            ("cover", FieldValue.text("a/b"), FieldValue.null),
            ("images", .json("[\"x\",\"y\"]"), .json("[\"y\"]")),
        ] {
            let stage = try await AppSyncStage(mode: "automerge")
            try load(stage)
            try stage.api.fault(
                """
                [{"kind": "write", "on": "updateSong", "times": 1, "model": "Song",
                  "values": {"id": "s1", "title": "Two"}}]
                """)
            let change = stage.change("s1", expecting: [(column, old)], setting: [(column, new)])
            try await Self.expectNotHeld { try await stage.source.update(change) }
        }
    }

    @Test("A write that another writer takes back at once did not hold")
    func overwritten() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try load(stage)
        // The first two reads come before the mutation.
        try stage.api.fault(
            """
            [{"kind": "write", "on": "getSong", "after": 2, "times": 1, "model": "Song",
              "values": {"id": "s1", "cover": "a/b"}}]
            """)
        let change = stage.change("s1", expecting: held, setting: nulling)
        try await Self.expectNotHeld { try await stage.source.update(change) }
    }

    // Neither written nor stale, which would say that nothing changed.
    private static func expectNotHeld(
        _ update: () async throws -> UpdateOutcome
    ) async throws {
        await #expect {
            _ = try await update()
        } throws: { error in
            let error = error as? StoreError
            return error?.isRefusal == false
                && error?.reason
                    == "it did not hold: it was sent, and the record holds another value; the API "
                    + "may have merged it with what another writer left"
        }
    }

    @Test("A tombstone is made by the delete mutation, and nothing brings it back")
    func tombstone() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try load(stage)
        let removal = stage.change(
            "s1", expecting: held + [("_deleted", .null), ("_version", .integer(1))],
            setting: [("_deleted", .integer(1)), ("_version", .integer(2))])
        #expect(try await stage.source.update(removal) == .written)
        #expect(try stage.api.log().contains("deleteSong"))
        #expect(try await stage.row("s1", ["_deleted"]) == [.json("true")])
        for change in [
            stage.change(
                "s1", expecting: [("_deleted", .integer(1)), ("_version", .integer(2))],
                setting: [("_deleted", .null), ("_version", .integer(3))]),
            stage.change("s1", expecting: held, setting: nulling),
        ] {
            await #expect {
                _ = try await stage.source.update(change)
            } throws: { error in
                let error = error as? StoreError
                return error?.isRefusal == true
                    && error?.reason
                        == "the record is deleted, and nothing is known that brings it back: no "
                        + "mutation takes _deleted"
            }
        }
        let insertion = stage.change(
            "s1", expecting: [], setting: [("id", .text("s1"))], act: .insert)
        #expect(
            try await stage.source.update(insertion).staleness
                == "a deleted record of this id is kept by the API")
        let unmarked = stage.change("s2", expecting: [], setting: [], act: .delete)
        try stage.api.load(#"{"Song": [{"id": "s2"}]}"#)
        let error = await #expect(throws: StoreError.self) {
            try await stage.source.update(unmarked)
        }
        #expect(
            error?.reason
                == "the API keeps deleted records, and the configuration does not name their mark; "
                + "write deleted: _deleted")
        let revived = stage.change(
            "s2", expecting: [("_version", .integer(1))], setting: [("_deleted", .null)])
        let none = await #expect(throws: StoreError.self) {
            try await stage.source.update(revived)
        }
        #expect(none?.reason == "no mutation takes _deleted away")
    }

    @Test("A read that is old is not believed once, nor taken for a write that did not hold")
    func staleReads() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try load(stage)
        let first = stage.change(
            "s1", expecting: held, setting: [("cover", .text("new"))])
        #expect(try await stage.source.update(first) == .written)
        try stage.api.fault(#"[{"kind": "stale", "on": "getSong", "times": 1}]"#)
        #expect(try await stage.row("s1", ["cover"]) == [.text("new")])
        // The second of two reads may be the old one.
        try stage.api.fault(#"[{"kind": "stale", "on": "getSong", "after": 1, "times": 1}]"#)
        #expect(try await stage.row("s1", ["cover"]) == [.text("new")])
        // Behind the mutation four reads give what was there before.
        try stage.api.fault(#"[{"kind": "stale", "on": "getSong", "after": 2, "times": 4}]"#)
        let second = stage.change(
            "s1", expecting: [("cover", .text("new"))], setting: [("cover", .null)])
        #expect(try await stage.source.update(second) == .written)
    }

    @Test(
        "A mutation that was carried out twice is no conflict: what it did is not known",
        arguments: ["none", "optimistic"])
    func twice(_ mode: String) async throws {
        let stage = try await AppSyncStage(mode: mode)
        try load(stage)
        try stage.api.fault(
            """
            [{"kind": "twice", "on": "updateSong", "times": 1},
             {"kind": "stale", "on": "getSong", "after": 2, "times": 2}]
            """)
        await #expect {
            _ = try await stage.source.update(
                stage.change("s1", expecting: held, setting: nulling))
        } throws: { error in
            let reason = (error as? StoreError)?.reason ?? ""
            return (error as? StoreError)?.isRefusal == false
                && reason.hasPrefix("it was refused as if another writer had come between (")
                && reason.hasSuffix("), and the record is as it would have left it")
        }
        #expect(try row(stage)["cover"] is NSNull)
    }

    @Test("Without versions what the API says that it wrote is written, however old its reads are")
    func cachedReads() async throws {
        let stage = try await AppSyncStage()
        try load(stage)
        try stage.api.fault(#"[{"kind": "stale", "on": "getSong", "after": 2}]"#)
        let change = stage.change("s1", expecting: held, setting: nulling)
        #expect(try await stage.source.update(change) == .written)
        #expect(try row(stage)["cover"] is NSNull)
    }

    @Test("Where the API reads consistently a record is read once")
    func consistentReads() async throws {
        let stage = try await AppSyncStage(options: { $0.readsAreConsistent = true })
        try load(stage)
        #expect(try await stage.row("s1", ["cover"]) == [.text("a/b")])
        #expect(try stage.api.log().filter { $0 == "getSong" }.count == 1)
    }

    @Test("A lost answer leaves open what became of the write")
    func lostAnswer() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try load(stage)
        try stage.api.fault(#"[{"kind": "drop", "on": "updateSong", "times": 1}]"#)
        await #expect {
            _ = try await stage.source.update(
                stage.change("s1", expecting: held, setting: nulling))
        } throws: { error in
            (error as? StoreError)?.isRefusal == false
        }
        #expect(try stage.api.log().filter { $0 == "updateSong" }.count == 1)
        #expect(try row(stage)["cover"] is NSNull)
    }

    @Test("An error without data leaves it open too; one of a refusal does not")
    func errors() async throws {
        for (kind, isRefusal) in [("InternalFailure", false), ("Unauthorized", true)] {
            let stage = try await AppSyncStage(mode: "optimistic")
            try load(stage)
            try stage.api.fault(
                "[{\"kind\": \"errors\", \"on\": \"updateSong\", \"type\": \"\(kind)\"}]")
            await #expect {
                _ = try await stage.source.update(
                    stage.change("s1", expecting: held, setting: nulling))
            } throws: { error in
                let error = error as? StoreError
                return error?.isRefusal == isRefusal
                    && error?.reason == "the API answered with errors: \(kind)"
            }
        }
    }

    @Test("A schema without mutations, or a policy that refuses, takes no writes")
    func limits() async throws {
        let without = try await AppSyncStage(settings: ", \"mutations\": false")
        #expect(
            try await without.source.limits().writes == "the API's schema has no mutations")
        try load(without)
        let creating = without.change(
            "s9", expecting: [], setting: [("id", .text("s9"))], act: .insert)
        let removing = without.change("s1", expecting: [], setting: [], act: .delete)
        let updating = without.change("s1", expecting: held, setting: nulling)
        for (change, reason) in [
            (updating, "the schema has no mutation that updates a Song"),
            (removing, "the schema has no mutation that deletes a Song"),
            (creating, "the schema has no mutation that creates a Song"),
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await without.source.update(change)
            }
            #expect(error?.reason == reason && error?.isRefusal == true)
        }
        let refused = try await AppSyncStage(
            mode: "automerge", options: { $0.refusal = "it merges" })
        #expect(try await refused.source.limits().writes == "it merges")
        try load(refused)
        await #expect(throws: StoreError.self) {
            try await refused.source.update(
                refused.change("s1", expecting: held, setting: nulling))
        }
        #expect(try await AppSyncStage().source.limits() == RecordLimits())
    }

    @Test("A field that the mutation's input lacks is not written")
    func unwritable() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try load(stage)
        await #expect {
            _ = try await stage.source.update(
                stage.change(
                    "s1", expecting: held, setting: [("createdAt", .text("2026-01-01"))]))
        } throws: { error in
            let error = error as? StoreError
            return error?.isRefusal == true
                && error?.reason == "updateSong does not write the field createdAt"
        }
        let odd = await #expect(throws: StoreError.self) {
            try await stage.source.update(
                stage.change("s1", expecting: held, setting: [("cover", .blob([1]))]))
        }
        #expect(odd?.reason == "the field cover cannot hold what is written")
        let other = await #expect(throws: StoreError.self) {
            try await stage.source.rows(
                table: "Song", idColumns: ["title"], id: RecordID("One"), columns: ["cover"])
        }
        #expect(other?.reason == "a record is found by (id), and not by (title)")
        #expect(other?.hint == "write id: [id] under the model")
    }
}
