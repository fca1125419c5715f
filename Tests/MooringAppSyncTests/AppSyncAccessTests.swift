import Foundation
import Glibc
import MooringAWS
import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringAppSync

/// Who asks an API, and what a refusal of it tells.
@Suite("AppSync: access", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncAccessTests {
    private static let rows = #"{"Song": [{"id": "s1"}, {"id": "s2"}, {"id": "s3"}]}"#

    @Test("A key is shown with each request, and a wrong one is named by no error")
    func apiKey() async throws {
        for (key, isGood) in [("da2-right", true), ("da2-wrong", false)] {
            let stage = try await AppSyncStage(
                settings: ", \"auth\": {\"apiKey\": \"da2-right\"}",
                credentials: { _ in AppSyncStage.key(key) })
            try stage.api.load(Self.rows)
            let scan = try await stage.source.read(.everything)
            #expect(scan.result.isComplete == isGood)
            guard !isGood else { continue }
            let reason = try #require(scan.result.problems.first?.reason)
            #expect(
                reason.contains(
                    "the API refuses who asks: HTTP 401 (UnauthorizedException)"))
            #expect(reason.contains("set the key"))
            #expect(!reason.contains("da2"))
        }
    }

    @Test("Requests are signed with the usual credentials")
    func signature() async throws {
        for (secret, isGood) in [("a secret", true), ("another", false)] {
            let stage = try await AppSyncStage(
                settings: ", \"auth\": {\"secret\": \"a secret\"}",
                scheme: .signature(Signer(region: "eu-west-1", service: "appsync")),
                credentials: { _ in
                    GivenCredentials(
                        Credentials(accessKeyID: "AKID", secretAccessKey: secret))
                })
            try stage.api.load(Self.rows)
            #expect(try await stage.source.read(.everything).result.isComplete == isGood)
        }
    }

    @Test("A token that ends in the middle is read again, once for each refusal")
    func token() async throws {
        var template = Array("/tmp/mooring-token-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        // What is left of it lies in the temporary folder.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/token"
        let stage = try await AppSyncStage(
            settings: ", \"auth\": {\"token\": true}", scheme: .secret(header: "authorization"),
            credentials: { api in
                // Each run of the program gives the next token: the first has ended, the second
                // is good.
                try api.token(seconds: -1).write(
                    toFile: file, atomically: true, encoding: .utf8)
                try api.token(seconds: 600).write(
                    toFile: file + ".next", atomically: true, encoding: .utf8)
                let line =
                    "/bin/sh -c 'cat \(file); [ -e \(file).next ] && mv \(file).next \(file); :'"
                return ShownSecret(
                    .command(
                        line: line, setting: "tokenCommand",
                        environment: ["PATH": "/usr/bin:/bin"]), what: "token",
                    hint: "log in again")
            }, options: { $0.pageSize = 1 })
        try stage.api.load(Self.rows)
        let scan = try await stage.source.read(
            .columns([TableColumns(table: "Song", columns: ["id"])]))
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(scan.batches.flatMap(\.rows).count == 3)
        // A second refusal with the same token ends the call.
        try stage.api.fault(
            #"[{"kind": "status", "on": "listSongs", "status": 401, "type": "Unauthorized"}]"#)
        let refused = try await stage.source.read(
            .columns([TableColumns(table: "Song", columns: ["id"])]))
        #expect(refused.result.problems.map(\.reason).joined().contains("HTTP 401"))
    }

    @Test("A token that cannot be had is told without what was printed")
    func noToken() async throws {
        for (line, words) in [
            ("/bin/false", "ended with status 1"), ("/bin/true", "is empty"),
            ("/nowhere/at-all", "a program that is not there"),
            ("/bin/echo open sesame", "holds a blank"),
        ] {
            let secret = ShownSecret(
                .command(line: line, setting: "tokenCommand", environment: [:]), what: "token",
                hint: "log in")
            let stage = try await AppSyncStage(
                scheme: .secret(header: "authorization"), credentials: { _ in secret })
            let scan = try await stage.source.read(.everything)
            let reason = try #require(scan.result.problems.first?.reason)
            #expect(reason.contains("none to be had; "), "\(reason)")
            #expect(reason.contains(words), "\(reason)")
            #expect(!reason.contains("sesame"))
        }
    }

    @Test("An API that does not tell its schema asks for the schema's file")
    func noIntrospection() async throws {
        let stage = try await AppSyncStage(settings: ", \"introspection\": false")
        let scan = try await stage.source.read(.everything)
        let reason = try #require(scan.result.problems.first?.reason)
        #expect(reason.contains("introspection may be disabled"))
        #expect(reason.contains("schema: FILE"))
        await #expect(throws: StoreError.self) { try await stage.source.limits() }
    }

    @Test("An address without an API says so")
    func nowhere() async throws {
        let stage = try await AppSyncStage()
        let client = GraphQLClient(
            endpoint: GraphQLClient.Endpoint(
                origin: Origin(isSecure: false, host: "127.0.0.1", port: stage.api.port),
                path: Array("/none/graphql".utf8)),
            caller: AWSClient(
                scheme: .secret(header: "x-api-key"), credentials: AppSyncStage.key("k"),
                connections: 1, clock: AppSyncStage.now), hint: "")
        let source = AppSyncSource(
            name: "app", client: client, schema: .introspection, clock: AppSyncStage.now)
        let scan = try await source.read(.everything)
        #expect(scan.result.problems.first?.reason.contains("no API at this address") == true)
    }
}
