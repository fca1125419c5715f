import MooringDecisions
import MooringModel
import Testing

@Suite("Policies that cannot be made safe")
struct PolicySafetyTests {
    private static let folder = StoreFacts(
        name: "media", removesConditionally: true, tellsEveryUpload: true, reusesKeys: true)

    private func refusals(
        _ strategies: [FindingKind: Strategy] = [:], overrides: [RepairPolicy.Override] = [],
        bounds: [RaceBounds] = [RaceBounds()], confirms: Bool = true,
        stores: [StoreFacts] = [Self.folder]
    ) -> [PolicyRefusal] {
        PolicySafety(
            policy: RepairPolicy(
                strategies: RepairPolicy.defaultStrategies.merging(strategies) { $1 },
                overrides: RepairPolicy.defaultOverrides + overrides),
            sources: bounds.enumerated().map { ("source\($0)", $1) }, confirms: confirms,
            stores: stores
        ).refusals()
    }

    @Test("what a configuration says by default is safe under every preset and conflict mode")
    func defaults() {
        for bounds in RaceBounds.presets.values { #expect(refusals(bounds: [bounds]).isEmpty) }
        for conflicts in RaceBounds.Conflicts.allCases {
            #expect(refusals(bounds: [RaceBounds(conflicts: conflicts)]).isEmpty)
        }
    }

    @Test("short waits and a short retention are the user's own business")
    func shortWaits() {
        let bounds = RaceBounds(
            uploadWindow: .zero, staleWindow: .zero, multipartWindow: .zero, clockBound: .zero)
        let policy = RepairPolicy(apply: true, retention: .zero)
        let safety = PolicySafety(
            policy: policy, sources: [("app", bounds)], confirms: true, stores: [Self.folder])
        #expect(safety.refusals().isEmpty)
    }

    @Test("delete needs relink: never in every source, and quarantine is the nearest to it")
    func delete() throws {
        let never = RaceBounds(relinkPossible: false)
        #expect(refusals([.orphan: .delete], bounds: [never, never]).isEmpty)
        let all = refusals([.orphan: .delete], bounds: [never, RaceBounds()])
        let refusal = try #require(all.first)
        #expect(all.count == 1)
        #expect(refusal.asked == "repair.orphan: delete")
        #expect(refusal.reason.contains("source1") && !refusal.reason.contains("source0"))
        #expect(refusal.nearest.contains("orphan: quarantine"))
        #expect(refusal.nearest.contains("race.relink: never"))
        #expect(refusal.found.hasPrefix("repair.orphan: delete cannot be made safe: race.relink"))
    }

    @Test("an exception that asks for delete is refused too, and named by its conditions")
    func exceptions() throws {
        let exception = RepairPolicy.Override(
            model: "Song", cause: .superseded, prefix: ObjectKey("tmp/"), source: "app",
            strategies: [.orphan: .delete])
        let all = refusals(overrides: [exception])
        #expect(
            all.map(\.asked) == [
                "repair.overrides with {model: Song, cause: superseded, prefix: tmp/, "
                    + "source: app, orphan: delete}"
            ])
        #expect(
            refusals([.orphan: .delete], overrides: [exception]).count == 2)
    }

    @Test("without a confirm scan nothing that changes a store is safe; keep and requery are")
    func unconfirmed() throws {
        let refusal = try #require(refusals(confirms: false).first)
        #expect(refusal.asked == "repair.orphan: quarantine, repair.dangling: nullify")
        #expect(refusal.nearest == "confirm: auto, or keep in place of each")
        let idle: [FindingKind: Strategy] = [.orphan: .keep, .dangling: .requery]
        #expect(refusals(idle, confirms: false).isEmpty)
        #expect(
            refusals(
                idle, overrides: [.init(model: "Song", strategies: [.dangling: .restore])],
                confirms: false
            ).map(\.asked) == ["repair.overrides with {model: Song, dangling: restore}"])
    }

    @Test("a store that removes whatever lies at a key needs keys that are never used again")
    func unconditional() {
        var store = StoreFacts(
            name: "far", removesConditionally: false, tellsEveryUpload: true, reusesKeys: true)
        let all = refusals(stores: [Self.folder, store])
        #expect(all.map(\.asked) == ["repair.orphan: quarantine"])
        #expect(
            all[0].reason
                == "far removes whatever lies at a key, and keys are used again, so an upload just "
                + "before it would be lost")
        #expect(
            all[0].nearest == "orphan: keep, or templates with {uuid} for every field")
        #expect(refusals([.orphan: .keep], stores: [store]).isEmpty)
        store = StoreFacts(
            name: "far", removesConditionally: false, tellsEveryUpload: true, reusesKeys: false)
        #expect(refusals(stores: [store]).isEmpty)
    }

    @Test("delete needs a store that tells the same bytes uploaded again, quarantine does not")
    func unseen() {
        let never = [RaceBounds(relinkPossible: false)]
        for reuses in [true, false] {
            let store = StoreFacts(
                name: "far", removesConditionally: true, tellsEveryUpload: false,
                reusesKeys: reuses)
            #expect(refusals(stores: [store]).isEmpty)
            let all = refusals([.orphan: .delete], bounds: never, stores: [store])
            #expect(all.map(\.nearest) == ["orphan: quarantine"])
            #expect(
                all.map(\.reason) == [
                    "far does not tell an object from the same bytes uploaded again, and the new "
                        + "one would be removed"
                ])
        }
    }

    @Test("only keep and requery change nothing")
    func changes() {
        let idle = Strategy.allCases.filter { !$0.changesStores }
        #expect(idle == [.keep, .requery])
    }
}
