import MooringDecisions
import MooringModel
import Testing

/// What a refusal of a guard says to do next, and how it tells what it compared.
@Suite("The words of guards")
struct GuardWordsTests {
    private let field = GuardedPlace.field(source: "app", model: "Song", field: "cover")
    private let guards = Guards(limits: Limits(), clockBound: .minutes(5))

    private func refused(_ change: (inout GuardFacts) -> Void) -> [RunSummary.Guard] {
        var facts = GuardFacts()
        change(&facts)
        return guards.check(facts).filter(\.refused)
    }

    private func bucket(_ objects: Int, before: Int?) -> GuardFacts.Bucket {
        var bucket = GuardFacts.Bucket(name: "media")
        (bucket.objects, bucket.usual) = (objects, before)
        return bucket
    }

    @Test("what is lost, and what is too much, is to be looked at before it is accepted")
    func reviews() {
        let dropped = refused { $0.buckets = [bucket(60, before: 100)] }
        #expect(dropped.map(\.value) == ["40% (100 to 60)"])
        #expect(
            dropped.map(\.hint) == [
                "check the bucket; to accept it: mooring plan --accept objectDrop:media=40%"
            ])
        let references = refused {
            var own = GuardFacts.Field(place: field)
            (own.references, own.usual, own.rows) = (60, 100, 100)
            $0.fields = [own]
        }
        #expect(
            references.map(\.hint) == [
                "check the records; to accept it: mooring plan --accept "
                    + "referenceDrop:app.Song.cover=40%"
            ])
        let share = refused {
            var acts = GuardFacts.Acts(share: PlacedShare(.recordShare, field))
            (acts.total, acts.planned) = (100, 40)
            $0.acts = [acts]
        }
        #expect(
            share.map(\.hint) == [
                "review the findings; to accept it: mooring plan --accept "
                    + "recordShare:app.Song.cover=40%"
            ])
    }

    @Test("an earlier refusal that is given again asks to check what it names")
    func again() {
        let earlier = refused { $0.buckets = [bucket(60, before: 100)] }
        let told = guards.again(earlier, accepting: Acceptance())
        #expect(told.map(\.refused) == [true])
        #expect(
            told.map(\.hint) == [
                "check what it names; to accept it: mooring plan --accept objectDrop:media=40%"
            ])
        let accepted = guards.again(
            earlier, accepting: Acceptance(numbers: ["objectDrop:media": 0.4]))
        #expect(accepted.map(\.refused) == [false] && accepted.map(\.hint) == [nil])
    }

    @Test("texts that name no objects any more say so, and ask for the right store")
    func texts() {
        let told = refused {
            $0.texts = [GuardFacts.Texts(source: "app", objects: 0, usual: 40)]
            $0.orphans = 40
        }
        #expect(told.map(\.title) == ["referenceDrop:app"])
        #expect(told.map(\.value) == ["no objects that its texts name (40 before)"])
        #expect(
            told.map(\.cause) == [
                "texts of records 'app' no longer name the objects that only they named: is it "
                    + "the right store?"
            ])
    }

    @Test("a first run tells what there is, with nothing to compare it with")
    func first() {
        var facts = GuardFacts()
        facts.buckets = [bucket(7, before: nil)]
        let answer = guards.check(facts).first { $0.name == "objectDrop" }
        #expect(answer?.refused == false && answer?.value == "no earlier run (7)")
    }
}
