import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringAppSync

/// What is done where an API keeps versions, and the configuration says something else or nothing.
@Suite("AppSync: versions that nobody told of", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncVersionsTests {
    private func stage(
        _ mode: String, _ versions: AppSyncOptions.Versions
    ) async throws -> AppSyncStage {
        let stage = try await AppSyncStage(mode: mode, options: { $0.versions = versions })
        try stage.api.load(#"{"Song": [{"id": "s1", "cover": "a/b"}]}"#)
        return stage
    }

    @Test("A configuration that denies conflicts is refused where the API shows versions")
    func denied() async throws {
        let stage = try await stage("optimistic", .denied)
        for scope in [
            RecordScope.everything, .columns([TableColumns(table: "Song", columns: ["id"])]),
        ] {
            let scan = try await stage.source.read(scope)
            #expect(!scan.result.isComplete && scan.batches.isEmpty)
            let reason = scan.result.problems.first?.reason ?? ""
            #expect(reason.contains("shows _version") && reason.contains("conflicts: none"))
        }
        #expect(try await stage.source.limits().proofs?.contains("conflicts: none") == true)
        #expect(try stage.api.log().contains("listSongs") == false)
        let right = try await self.stage("none", .denied)
        #expect(try await right.source.read(.everything).result.isComplete)
        #expect(try await right.source.limits() == RecordLimits())
    }

    @Test("Where nothing is said, an API that shows versions is read and not written")
    func unsaid() async throws {
        for mode in ["automerge", "none"] {
            let stage = try await stage(mode, .unsaid)
            #expect(try await stage.source.read(.everything).result.isComplete)
            let change = stage.change(
                "s1", expecting: [("cover", .text("a/b"))], setting: [("cover", .null)])
            let words = "does not say how it settles them"
            let limits = try await stage.source.limits()
            guard mode != "none" else {
                #expect(limits == RecordLimits())
                #expect(try await stage.source.update(change) == .written)
                continue
            }
            #expect(limits.proofs == nil && limits.writes?.contains(words) == true)
            let error = await #expect(throws: StoreError.self) {
                _ = try await stage.source.update(change)
            }
            #expect(error?.isRefusal == true && error?.reason.contains(words) == true)
            #expect(try stage.api.log().contains("updateSong") == false)
        }
    }
}
