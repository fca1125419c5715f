import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("One key that a list holds for two buckets")
struct SeveralBucketsTests {
    private func app() throws -> World {
        let text = Sample.file(bucket: "  - name: archive\n    directory: ./archive")
            .replacing(#"list: true, template: "pages/{*}""#, with: "list: true, complex: true")
        let world = try World(text)
        world.source.insert(
            "Page",
            [
                "id": .text("p"), "changed": .moment(World.longAgo),
                "images": .text(#"[{"key":"k"},{"key":"k","bucket":"archive"}]"#),
            ])
        return world
    }

    private func missing(_ world: World) async throws -> [String: String] {
        let findings = try await world.audit().findings.filter { $0.kind == .dangling }
        return Dictionary(uniqueKeysWithValues: findings.map { ($0.bucket ?? "", $0.id) })
    }

    @Test("is two references: each is missed by itself, and under an id of its own")
    func missed() async throws {
        let both = try await missing(try app())
        #expect(Set(both.keys) == ["media", "archive"] && Set(both.values).count == 2)
        let world = try app()
        world.object("k", at: World.longAgo)
        let one = try await missing(world)
        #expect(one == both.filter { $0.key == "archive" })
    }
}
