import MooringDecisions
import MooringModel
import Testing

@testable import MooringPipeline

/// A store that lists some names in another order than it says loses more of them than those that
/// anybody looks at.
@Suite("Objects that a listing left out")
struct UnlistedObjectTests {
    // The second record's object is there by another spelling of its name, which the listing may
    // leave out as well.
    private func world(_ traits: StoreTraits) throws -> World {
        let world = try World()
        world.bucket.become(traits)
        for name in ["a", "b"] {
            world.song(name, cover: "covers/\(name)")
            world.object("covers/\(name)")
        }
        world.song("c", cover: "covers/c 1")
        world.object("covers/c%201")
        return world
    }

    @Test("one that was there before the listing began makes it incomplete")
    func left() async throws {
        let world = try world(StoreTraits.s3(.never, deletes: .honoured))
        world.bucket.leaveOut(["covers/b", "covers/c%201"])
        let audit = try await world.audit()
        #expect(audit.summary.buckets.first?.scan.complete == false)
        let finding = try #require(audit.findings.about("covers/c 1", .dangling))
        #expect(finding.needs?.proof == "a complete run")
        #expect(
            audit.summary.buckets.first?.scan.problems == [
                "the listing left out 1 object that HEAD finds, written before it began: what it "
                    + "lacks proves nothing"
            ])
    }

    @Test("one that came meanwhile, or by a key that a store may fold, does not")
    func meanwhile() async throws {
        let world = try world(StoreTraits.s3(.never, deletes: .honoured))
        world.song("d", cover: "covers//d")
        world.object("covers//d")
        world.bucket.leaveOut(["covers/b", "covers//d"])
        world.bucket.put("covers/b", at: world.clock.now + .days(1))
        #expect(try await world.audit().summary.buckets.first?.scan.complete == true)
    }

    // A store's clock may be behind, and HEAD cuts the time off at its second.
    @Test("one that may have come meanwhile by another clock does not")
    func aboutThen() async throws {
        let world = try world(StoreTraits.s3(.never, deletes: .honoured))
        world.bucket.leaveOut(["covers/b", "covers/c%201"])
        world.bucket.put("covers/b", at: world.clock.now - .minutes(4))
        #expect(try await world.audit().summary.buckets.first?.scan.complete == true)
        world.bucket.put("covers/b", at: world.clock.now - .minutes(6))
        #expect(try await world.audit().summary.buckets.first?.scan.complete == false)
    }

    @Test("a key below an identity is plain, and one that a store may fold is not")
    func plain() {
        for key in ["private/eu-west-1:6f/a (1).jpg", "a b/c_d-e.png", "a/..b"] {
            #expect(UnlistedObjects.isPlain(ObjectKey(key)), "\(key)")
        }
        for key in ["a//b", "a/../b", "/a", "a/", "a\\b", "a%20b", "a+b", "é"] {
            #expect(!UnlistedObjects.isPlain(ObjectKey(key)), "\(key)")
        }
    }

    @Test("in a folder files keep their times when they come")
    func folder() async throws {
        let world = try world(StoreTraits())
        world.bucket.leaveOut(["covers/b"])
        #expect(try await world.audit().summary.buckets.first?.scan.complete == true)
    }
}
