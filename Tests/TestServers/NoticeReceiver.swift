import Foundation

/// A server that takes pings and webhooks, and keeps them; one for all tests of this process.
package struct NoticeReceiver: Sendable {
    private let port: Int
    private let data: String
    // What tells one test's addresses from another's.
    private let name = UUID().uuidString

    /// The secret with which it verifies what is sent below `signed`, by a library of others.
    package static let secret = "whsec_bW9vcmluZyB0ZXN0cyBrbm93IHRoaXMgc2VjcmV0"

    /// One POST that came.
    package struct Post: Decodable, Sendable {
        /// The path behind what tells one test's from another's.
        package var path: String
        /// How it was answered.
        package let status: Int
        /// What was sent.
        package let body: String
        /// By names in small letters.
        package let headers: [String: String]
    }

    /// The receiver, with addresses that nobody else has.
    package static func start() async throws -> NoticeReceiver {
        let ports = try await Servers.shared.ports(.notices)
        return NoticeReceiver(port: ports.plain, data: ports.data)
    }

    private init(port: Int, data: String) {
        self.port = port
        self.data = data
    }

    /// An address: `kind` is `fine`, `flaky`, `broken`, `gone` or `signed`.
    package func url(_ kind: String) -> String { "http://127.0.0.1:\(port)/\(kind)/\(name)" }

    /// What came so far, in its order.
    package func posts() throws -> [Post] {
        let file = URL(filePath: data + "/posts.jsonl")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
            var post = try JSONDecoder().decode(Post.self, from: Data($0.utf8))
            guard post.path.contains(name) else { return nil }
            post.path = post.path.replacing("/" + name, with: "")
            return post
        }
    }
}
