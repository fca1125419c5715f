import MooringModel
import PlainS3
import StoreConformance
import TestServers
import Testing

@testable import MooringDynamoDB

@Suite("Conditional writes to a real server", .requires(.ministack), .timeLimit(.minutes(60)))
struct WriteTests {
    private func made(_ item: String) async throws -> Stage {
        let stage = try await Stage()
        try await stage.makeTable("Song")
        try await stage.put("Song", item)
        return stage
    }

    private func change(
        _ column: String, from old: FieldValue, to new: FieldValue
    ) -> RecordChange {
        RecordChange(
            table: "Song", idColumns: ["id"], id: RecordID("1"),
            expected: [ColumnValue(column, old)], assignments: [ColumnValue(column, new)])
    }

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }
    private func json(_ text: String) -> FieldValue { .json(Array(text.utf8)) }
    private func typed(_ text: String) -> FieldValue { .attribute(Array(text.utf8)) }

    @Test("Lists lose one element, sets some; maps, texts and numbers are set; all comes back")
    func values() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"},"rest":{"SS":["z"]}}"#)
        let values = [
            text("a"), json(#"["a",null,"b",5]"#), json(#"["a","b",5]"#),
            typed(#"{"SS":["a","b","c"]}"#), typed(#"{"SS":["b"]}"#), .absent,
            json(#"{"key":"k","n":1.5}"#), json(#"{"key":null,"n":1.5}"#), .null, .integer(7),
            typed(#"{"N":"7.5"}"#), typed(#"{"BOOL":true}"#), .blob([0, 255]),
            typed(#"{"L":[{"B":"AA=="},{"S":"x"}]}"#), json("[]"), text("\u{E9}"), text("e\u{301}"),
        ]
        let source = stage.source()
        for (old, new) in zip(values, values.dropFirst()) {
            for (from, to) in [(old, new), (new, old), (old, new)] {
                let outcome = try await source.update(change("x", from: from, to: to))
                let held = try await stage.row("Song", "1", ["x"])
                // The next values build on this one.
                try #require(outcome == .written && held == [to], "\(outcome) \(from) \(to)")
            }
            let wrong = change("x", from: old, to: text("never"))
            #expect(try await source.update(wrong).staleness != nil)
        }
        #expect(try await stage.row("Song", "1", ["rest"]) == [typed(#"{"SS":["z"]}"#)])
    }

    @Test("A removed record comes back with every attribute as it was")
    func removal() async throws {
        let stage = try await made(
            #"{"id":{"S":"1"},"a":{"N":"1.50"},"b":{"BS":["AA=="]},"c":{"L":[{"NULL":true}]},"#
                + #""d":{"M":{"e":{"NS":["3","1"]}}},"f":{"S":""},"g":{"NULL":true}}"#)
        let source = stage.source()
        let columns = try await source.columns(
            table: "Song", idColumns: ["id"], id: RecordID("1"))
        #expect(Set(columns) == ["id", "a", "b", "c", "d", "f", "g"])
        let row = try #require(try await stage.row("Song", "1", columns))
        let whole = zip(columns, row).map { ColumnValue($0, $1) }
        func write(
            _ act: RecordChange.Act, _ values: [ColumnValue]
        ) async throws -> UpdateOutcome {
            try await source.update(
                RecordChange(
                    act, table: "Song", idColumns: ["id"], id: RecordID("1"),
                    expected: act == .delete ? values : [],
                    assignments: act == .insert ? values : []))
        }
        // A condition that leaves an attribute out would take it away unseen.
        #expect(try await write(.delete, whole.filter { $0.column != "b" }).staleness != nil)
        #expect(try await write(.delete, whole) == .written)
        #expect(try await stage.row("Song", "1", columns) == nil)
        #expect(try await write(.insert, whole) == .written)
        #expect(try await stage.row("Song", "1", columns) == row)
        #expect(try await write(.insert, whole).staleness != nil)
    }

    @Test("An attribute that comes while its record is removed is put back with it")
    func gained() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"}}"#)
        let proxy = try stage.server.proxy()
        let (plain, stored) = (stage.server.plain, stage.prefix + "Song")
        proxy.set(
            FaultRule(
                .before {
                    // A failed put shows in what the record holds afterwards.
                    try? plain.put(stored, #"{"id":{"S":"1"},"x":{"S":"a"},"new":{"S":"b"}}"#)
                }, turns: 1...1,
                where: { $0["x-amz-target"]?.hasSuffix("DeleteItem") == true }))
        let outcome = try await stage.source(port: proxy.port).update(
            RecordChange(
                .delete, table: "Song", idColumns: ["id"], id: RecordID("1"),
                expected: [ColumnValue("id", text("1")), ColumnValue("x", text("a"))],
                assignments: []))
        #expect(outcome.staleness?.contains("put back") == true)
        #expect(try await stage.row("Song", "1", ["x", "new"]) == [text("a"), text("b")])
    }

    @Test("A write between the read and the write makes it stale")
    func rival() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"}}"#)
        let proxy = try stage.server.proxy()
        let (plain, stored) = (stage.server.plain, stage.prefix + "Song")
        proxy.set(
            FaultRule(
                .before {
                    // As above.
                    try? plain.put(stored, #"{"id":{"S":"1"},"x":{"S":"b"}}"#)
                }, turns: 1...1,
                where: { $0["x-amz-target"]?.hasSuffix("UpdateItem") == true }))
        let outcome = try await stage.source(port: proxy.port).update(
            change("x", from: text("a"), to: .null))
        #expect(outcome.staleness != nil)
        #expect(try await stage.row("Song", "1", ["x"]) == [text("b")])
    }

    @Test("A write that was carried out twice is no conflict: what it did is not known")
    func twice() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"}}"#)
        let proxy = try stage.server.proxy()
        let (plain, stored) = (stage.server.plain, stage.prefix + "Song")
        proxy.set(
            FaultRule(
                .before {
                    // What the first delivery left; if this put fails, the write succeeds.
                    try? plain.put(stored, #"{"id":{"S":"1"},"x":{"NULL":true}}"#)
                }, turns: 1...1,
                where: { $0["x-amz-target"]?.hasSuffix("UpdateItem") == true }))
        let error = await #expect(throws: StoreError.self) {
            _ = try await stage.source(port: proxy.port).update(
                change("x", from: text("a"), to: .null))
        }
        #expect(error?.isRefusal == false)
        #expect(try await stage.row("Song", "1", ["x"]) == [.null])
    }

    @Test("A lost answer is no refusal, and the write is not sent again")
    func lostAnswer() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"}}"#)
        let proxy = try stage.server.proxy()
        proxy.set(
            FaultRule(
                .resetAfter, where: { $0["x-amz-target"]?.hasSuffix("UpdateItem") == true }))
        let error = await #expect(throws: StoreError.self) {
            _ = try await stage.source(port: proxy.port).update(
                change("x", from: text("a"), to: .null))
        }
        #expect(error?.isRefusal == false)
        #expect(proxy.log.count { $0["x-amz-target"]?.hasSuffix("UpdateItem") == true } == 1)
        #expect(try await stage.row("Song", "1", ["x"]) == [.null])
    }

    @Test("What cannot be written is refused before anything is sent")
    func refused() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"}}"#)
        let source = stage.source()
        for wrong in [
            change("x", from: text("a"), to: .text([0xFF])),
            change("x", from: text("a"), to: .real(0.5)),
            change("id", from: text("1"), to: text("2")),
            change("x", from: text("a"), to: text(String(repeating: "x", count: 410_000))),
        ] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await source.update(wrong)
            }
            #expect(error?.isRefusal == true)
            #expect(error.map { "\($0)".utf8.count } ?? 0 < 600)
        }
        #expect(try await stage.row("Song", "1", ["x"]) == [text("a")])
    }

    @Test("An attribute that an index is keyed by is removed where others are nulled")
    func indexed() async throws {
        let stage = try await Stage()
        let stored = stage.prefix + "Song"
        try await stage.server.run {
            try $0.call(
                "CreateTable",
                #"{"TableName":"\#(stored)","BillingMode":"PAY_PER_REQUEST","#
                    + #""KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"#
                    + #""AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},"#
                    + #"{"AttributeName":"cover","AttributeType":"S"}],"#
                    + #""GlobalSecondaryIndexes":[{"IndexName":"byCover","KeySchema":"#
                    + #"[{"AttributeName":"cover","KeyType":"HASH"}],"#
                    + #""Projection":{"ProjectionType":"ALL"}}]}"#)
        }
        try await stage.put("Song", #"{"id":{"S":"1"},"cover":{"S":"k"}}"#)
        let source = stage.source()
        #expect(try await source.update(change("cover", from: text("k"), to: .null)) == .written)
        #expect(try await stage.row("Song", "1", ["cover"]) == [.absent])
        #expect(try await source.update(change("cover", from: .null, to: text("k"))) == .written)
        #expect(try await stage.row("Song", "1", ["cover"]) == [text("k")])
    }

    @Test("A table under conflict detection is not written, unless the settings say so")
    func versioned() async throws {
        let item =
            #"{"id":{"S":"1"},"x":{"S":"a"},"_version":{"N":"3"},"_lastChangedAt":{"N":"1"}}"#
        let stage = try await made(item)
        let mapping = ModelMapping(model: "Song", files: [FileField(field: "x")])
        let write = change("x", from: text("a"), to: .null)
        let source = stage.source { $0.models = [mapping] }
        let why = try await source.limits().writes ?? ""
        #expect(why.contains("conflict detection") && why.contains("its records hold _version"))
        #expect(try await source.limits().proofs == nil)
        // A source that looked at no table before sees it in the record itself.
        for source in [source, stage.source()] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await source.update(write)
            }
            #expect(error?.isRefusal == true)
        }
        #expect(try await stage.row("Song", "1", ["x"]) == [text("a")])
        let allowed = stage.source {
            $0.models = [mapping]
            $0.writesVersioned = true
        }
        #expect(try await allowed.limits() == RecordLimits())
        #expect(try await allowed.update(write) == .written)
    }

    @Test("A delta table beside it, a mapped _version and another key say why nothing is written")
    func limits() async throws {
        let stage = try await made(#"{"id":{"S":"1"},"x":{"S":"a"}}"#)
        let mapping = ModelMapping(model: "Song", version: "_version")
        let mapped = stage.source { $0.models = [mapping] }
        #expect(try await mapped.limits().writes?.contains("_version as the version") == true)
        let plain = stage.source { $0.models = [ModelMapping(model: "Song")] }
        #expect(try await plain.limits() == RecordLimits())
        let other = stage.source { $0.models = [ModelMapping(model: "Song", id: ["x"])] }
        #expect(try await other.limits().writes?.contains(#"its key is "id""#) == true)
        try await stage.makeTable("AmplifyDataStore", hash: "ds_pk", range: "ds_sk")
        let beside = stage.source { $0.models = [ModelMapping(model: "Song")] }
        let why = try await beside.limits().writes ?? ""
        #expect(why.contains("there is the delta table \"") && why.contains("AmplifyDataStore\""))
    }
}
