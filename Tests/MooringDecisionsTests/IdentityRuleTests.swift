import MooringDecisions
import MooringModel
import Testing

@Suite("Whether a store is the one that the ledger knows")
struct IdentityRuleTests {
    private let known = ["marker": "m", "place": "/files"]

    private func answer(
        _ found: IdentityRule.Found, known: [String: String] = [:], place: String = "/files",
        isCopy: Bool = false, isAccepted: Bool = false
    ) -> IdentityRule.Answer {
        IdentityRule.answer(
            IdentityRule.BucketFacts(
                name: "media", known: known, found: found, place: place, isCopy: isCopy,
                isAccepted: isAccepted))
    }

    private let marker = IdentityRule.Found.marker(StoreMarker(id: "m"))

    @Test("A bucket without a marker gets one once the guards passed; one with another is adopted")
    func first() {
        let fresh = answer(.absent)
        #expect(!fresh.answer.refused && fresh.refusal == nil && fresh.wantsMarker)
        #expect(fresh.answer.place == "media" && fresh.answer.name == "identity")
        let adopted = answer(marker)
        #expect(!adopted.answer.refused && adopted.refusal == nil && !adopted.wantsMarker)
        #expect(adopted.adopts.isEmpty && adopted.adoptsLater == known)
    }

    @Test("The same marker passes, also where its folder lies elsewhere by now")
    func same() {
        let same = answer(marker, known: known)
        #expect(!same.answer.refused && same.adopts.isEmpty && same.adoptsLater.isEmpty)
        let moved = answer(marker, known: known, place: "/disk")
        #expect(!moved.answer.refused && moved.adopts == ["marker": "m", "place": "/disk"])
    }

    @Test("What a store keeps when it is moved is known from its first pass on")
    func trace() {
        var facts = IdentityRule.BucketFacts(
            name: "media", known: known, found: marker, place: "/files")
        facts.trace = "2/11"
        let parts = ["marker": "m", "place": "/files", "trace": "2/11"]
        #expect(IdentityRule.answer(facts).adopts == parts)
        facts.known = parts
        #expect(IdentityRule.answer(facts).adopts.isEmpty)
    }

    @Test("No marker, another one and a copy are refused, until a person says otherwise")
    func others() {
        let others: [(IdentityRule.Found, Bool)] = [
            (.absent, false), (.marker(StoreMarker(id: "n")), false), (marker, true),
        ]
        for (found, isCopy) in others {
            let refused = answer(found, known: known, isCopy: isCopy)
            #expect(refused.answer.refused && refused.refusal != nil)
            #expect(refused.adopts.isEmpty && !refused.forgets && !refused.wantsMarker)
            #expect(
                refused.answer.hint
                    == "mount it or correct the configuration; if this is the store that is meant "
                    + "from now on: mooring audit --accept identity:media")
            let accepted = answer(found, known: known, isCopy: isCopy, isAccepted: true)
            #expect(!accepted.answer.refused && accepted.refusal == nil)
            #expect(accepted.forgets == (found == .absent))
            #expect(accepted.wantsMarker == (found == .absent))
            #expect(accepted.adopts.isEmpty == (found == .absent))
        }
    }

    @Test("The guard's value says what was found, and whether a person accepted it")
    func values() {
        let other = IdentityRule.Found.marker(StoreMarker(id: "n"))
        #expect(answer(.absent).answer.value == "no marker yet: a run that acts writes one")
        #expect(answer(marker).answer.value == "a marker that is new to this ledger")
        #expect(answer(marker, known: known).answer.value == "known")
        #expect(answer(other, known: known).answer.value == "another store")
        #expect(
            answer(other, known: known, isAccepted: true).answer.value
                == "another store, accepted")
        #expect(answer(.absent, known: known).answer.value == "its marker is absent")
        #expect(
            answer(.absent, known: known, isAccepted: true).answer.value
                == "its marker is absent, accepted")
        #expect(
            answer(.absent, known: known).refusal
                == "bucket media has not the marker (.mooring/store) that the ledger knows it by: "
                + "most likely its disk is not mounted, the configuration names another folder or "
                + "bucket, or it was emptied or made anew")
        #expect(
            answer(other, known: known).refusal
                == "bucket media has another marker (.mooring/store) than the ledger knows: most "
                + "likely the configuration names another app's bucket or another environment's")
        #expect(
            answer(.unreadable("403")).refusal
                == "whether bucket media is the one that the ledger knows could not be checked: "
                + "403")
    }

    @Test("A copy at the place that the ledger knows names another disk and a backup")
    func replaced() {
        let replaced = answer(marker, known: known, isCopy: true)
        #expect(replaced.answer.value == "a copy at the same place")
        #expect(replaced.refusal?.contains("another disk or an older copy") == true)
        #expect(replaced.refusal?.contains("restored from a backup") == true)
        let elsewhere = answer(marker, known: known, place: "/disk", isCopy: true)
        #expect(elsewhere.answer.value == "a copy")
        #expect(elsewhere.refusal?.contains("may be there still") == true)
    }

    @Test("One that cannot be read refuses every act, whatever the ledger knows or a person says")
    func unreadable() {
        for known in [[:], known] {
            for isAccepted in [false, true] {
                let refused = answer(.unreadable("403"), known: known, isAccepted: isAccepted)
                #expect(refused.refusal != nil && !refused.wantsMarker && refused.adopts.isEmpty)
                #expect(refused.answer.value == "not checked: 403")
                #expect(refused.answer.refused == !known.isEmpty)
            }
        }
    }

    @Test("A source is told by each of its ids; new ones are adopted later, others refused")
    func source() throws {
        func answer(_ known: [String: String], _ found: SourceIdentity, accepted: Bool = false)
            -> IdentityRule.Answer?
        {
            IdentityRule.answer(
                source: "app", known: known, found: found, isAccepted: accepted)
        }
        let found = SourceIdentity(parts: ["table A": "1", "table B": "2"])
        #expect(answer([:], SourceIdentity()) == nil)
        #expect(try #require(answer([:], found)).adoptsLater == found.parts)
        let more = try #require(answer(["table A": "1", "table C": "9"], found))
        #expect(!more.answer.refused && more.adoptsLater == ["table B": "2"])
        let other = try #require(answer(["table A": "0"], found))
        #expect(
            other.answer.refused
                && other.refusal
                    == "source app is not the one that the ledger knows: its 'table A' has another "
                    + "id; most likely the configuration or the environment names another "
                    + "database, or it was dropped and made anew"
        )
        #expect(other.answer.value == "another store ('table A')")
        #expect(other.adopts.isEmpty && other.adoptsLater.isEmpty)
        let accepted = try #require(answer(["table A": "0"], found, accepted: true))
        #expect(!accepted.answer.refused && accepted.adopts == found.parts)
        let unread = try #require(answer(found.parts, SourceIdentity(unread: ["no right"])))
        #expect(unread.answer.refused && unread.answer.value == "not checked: no right")
        #expect(unread.refusal != nil && unread.adopts.isEmpty && !unread.forgets)
        let partly = try #require(
            answer(
                found.parts,
                SourceIdentity(
                    parts: ["table A": "1"], unread: ["no id"], unreadParts: ["table B"])))
        #expect(partly.answer.refused)
        #expect(
            partly.refusal
                == "whether source app is the one that the ledger knows could not be checked: "
                + "no id")
        #expect(
            partly.answer.hint
                == "let this role read it again, as it could before, and run the command again; "
                + "if it shall go by what it can read: mooring audit --accept identity:app")
        let word = try #require(
            answer(
                found.parts,
                SourceIdentity(parts: ["table A": "1"], unread: ["no id"]), accepted: true))
        #expect(!word.answer.refused && word.forgets && word.adopts == ["table A": "1"])
        #expect(word.answer.value == "accepted; not checked: no id")
        let unmapped = try #require(
            answer(
                ["table A": "1", "table C": "9"],
                SourceIdentity(
                    parts: ["table A": "1"], unread: ["no id"], unreadParts: ["table B"])))
        #expect(!unmapped.answer.refused && unmapped.refusal == nil)
        let unknown = try #require(answer([:], SourceIdentity(unread: ["no right"])))
        #expect(!unknown.answer.refused && unknown.answer.value == "not checked: no right")
    }

    @Test("A marker reads back as it was written, and nothing else is one")
    func content() {
        let marker = StoreMarker.new()
        #expect(marker.id.count == 32 && marker != StoreMarker.new())
        #expect(StoreMarker(marker.content) == marker)
        for text in [
            "", "{}", #"{"schema":"mooring.store/2","id":"x"}"#,
            #"{"schema":"mooring.store/1","id":""}"#,
        ] {
            #expect(StoreMarker(Array(text.utf8)) == nil)
        }
    }
}
