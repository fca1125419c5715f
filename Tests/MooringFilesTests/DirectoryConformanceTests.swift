import MooringFiles
import MooringModel
import StoreConformance
import Testing

private struct FolderFixture: BucketFixture {
    let sandbox: Sandbox
    let bucket: any ActingBucket

    init(trust: DirectoryBucket.Trust) throws {
        sandbox = try Sandbox()
        bucket = try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Sandbox.quarantine, trust: trust)
    }

    func put(_ key: ObjectKey, _ content: [UInt8]) async throws {
        try sandbox.put(key.bytes, content)
    }

    func content(_ key: ObjectKey) async throws -> [UInt8]? {
        sandbox.content(Array("files/".utf8) + key.bytes)
    }

    func putQuarantined(_ key: ObjectKey, run: RunID, _ content: [UInt8]) async throws {
        try sandbox.put(Sandbox.quarantine + Array(run.text.utf8) + [47] + key.bytes, content)
    }

    func quarantinedContent(_ key: ObjectKey, run: RunID) async throws -> [UInt8]? {
        let prefix = Array("files/".utf8) + Sandbox.quarantine + Array(run.text.utf8) + [47]
        return sandbox.content(prefix + key.bytes)
    }
}

struct DirectoryConformanceTests {
    @Test("A folder does what every bucket does", arguments: DirectoryBucket.Trust.allCases)
    func conforms(trust: DirectoryBucket.Trust) async throws {
        try await BucketConformance { try FolderFixture(trust: trust) }.verify()
    }
}
