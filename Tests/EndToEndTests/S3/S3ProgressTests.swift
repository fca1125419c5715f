import Foundation
import TestServers
import Testing

/// What a person sees on a terminal while a listing goes on.
@Suite("Progress on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3ProgressTests {
    @Test("A listing that takes its time is told in one line on a terminal, and goes without trace")
    func listing() async throws {
        let server = try await S3TestServer.ministack()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, try await server.makeBucket(), options)
        for name in ["a", "b", "c"] { try app.healthy(name) }
        // Longer than a person waits without a word: what lies before the quarantine and what lies
        // behind it are listed side by side, and only one of them holds objects.
        proxy.set(
            FaultRule(.delay(2_200), turns: 1...2) {
                $0.query.contains("list-type=2") && !$0.query.contains("prefix=.mooring")
            })
        // `script` gives the program a terminal for all its streams.
        let words = ["script", "-qefc", "'\(Program.path)' audit", "/dev/null"]
        let told = try RunningProgram(words, in: app.path, environment: app.environment).wait()
        #expect(told.status == 0, "\(told.told)")
        let parts = told.output.components(separatedBy: "\r\u{1B}[K3/7 listing media: ")
        #expect(parts.count == 2, "\(told.told)")
        let line = (parts.last ?? "").split(separator: "\r", maxSplits: 1)
        #expect(line.first?.hasPrefix("3, ") == true && line.first?.hasSuffix("s") == true)
        #expect(line.last?.hasPrefix("\u{1B}[K") == true, "it is not taken away: \(told.told)")
    }
}
