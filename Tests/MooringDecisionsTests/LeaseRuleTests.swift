import MooringDecisions
import MooringModel
import Testing

@Suite("Who may act on a bucket")
struct LeaseRuleTests {
    private static func lease(
        _ ledger: String = "one", host: String = "here", path: String = "/ledger",
        run: String = "this run"
    ) -> Lease {
        Lease(
            ledger: ledger, host: host, path: path, command: "repair", run: run,
            since: Instant(seconds: 1_790_000_000))
    }

    private static let own = lease()

    private func found(_ lease: Lease) -> FoundLease {
        FoundLease(content: lease.content, tag: "tag")
    }

    @Test("A lease comes back from its bytes")
    func roundTrip() {
        let hostile = Self.lease("\n\"", host: "\u{1B}[31m", path: "/é/\\", run: "")
        #expect(Lease(hostile.content) == hostile)
        #expect(Lease([]) == nil && Lease(Array("{}".utf8)) == nil)
        for count in 0..<hostile.content.count - 1 {
            #expect(Lease(Array(hostile.content.prefix(count))) == nil)
        }
    }

    @Test("Absent it is written; one's own is kept; that of a dead process is taken over")
    func own() {
        #expect(LeaseRule.decide(nil, own: Self.own) == .create)
        #expect(LeaseRule.decide(found(Self.own), own: Self.own) == .ours)
        let dead = found(Self.lease(run: "an earlier run"))
        #expect(LeaseRule.decide(dead, own: Self.own) == .takeOver(dead))
    }

    @Test("Anybody else's is refused, however old, and taken only when it is given up for lost")
    func others() {
        let copies = [Self.lease(host: "there"), Self.lease(path: "/copy")]
        let holders: [(FoundLease, LeaseRule.Holder)] =
            [
                (found(Self.lease("two")), .otherLedger(Self.lease("two"))),
                (FoundLease(content: Array("?".utf8), tag: "tag"), .unknown),
            ] + copies.map { (found($0), .copiedLedger($0)) }
        for (lease, holder) in holders {
            #expect(LeaseRule.decide(lease, own: Self.own) == .refuse(holder))
            #expect(
                LeaseRule.decide(lease, own: Self.own, takingOver: true) == .takeOver(lease))
            #expect(LeaseRule.holder(of: lease, for: Self.own) == holder)
        }
    }
}
