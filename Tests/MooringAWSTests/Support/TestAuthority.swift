import Foundation
import NIOSSL

/// A certificate authority of this test alone, and a server's certificate that it signed.
struct TestAuthority {
    /// The folder with the files.
    let folder: String
    /// The authority's own certificate.
    var authorityFile: String { folder + "/ca.crt" }

    /// Makes both with the openssl command, on a thread that may block; the server's certificate is
    /// for these names.
    static func make(names: String = "DNS:localhost,IP:127.0.0.1") async throws -> TestAuthority {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try TestAuthority(names: names) })
            }
        }
    }

    private init(names: String) throws {
        folder = NSTemporaryDirectory() + "mooring-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
            "/CN=Mooring test authority", "-keyout", "ca.key", "-out", "ca.crt")
        try openssl(
            "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=server", "-keyout",
            "server.key", "-out", "server.csr")
        try "subjectAltName=\(names)\n".write(
            toFile: folder + "/names", atomically: true, encoding: .utf8)
        try openssl(
            "x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
            "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "server.crt")
    }

    /// What the server encrypts with.
    func context() throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: NIOSSLCertificate.fromPEMFile(folder + "/server.crt").map {
                    .certificate($0)
                },
                privateKey: .privateKey(
                    NIOSSLPrivateKey(file: folder + "/server.key", format: .pem))))
    }

    private func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        (process.standardError, process.standardOutput) = (FileHandle.nullDevice, nil)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
