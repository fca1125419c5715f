import NIOSSL

/// Certificates of authorities that are trusted beside the system's.
package struct TrustBundle: Sendable {
    /// The certificates.
    let certificates: [NIOSSLCertificate]

    /// The certificates in a PEM file. Throws `AWSFailure` that names the file, and the setting or
    /// variable that asked for it.
    package init(file: String, askedBy setting: String) throws {
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(file)
        } catch {
            // The library's error tells a file that is not there from one without a certificate
            // by words of OpenSSL alone.
            certificates = []
        }
        guard !certificates.isEmpty else {
            throw AWSFailure(
                call: "TLS",
                reason: "\(setting) names \(file), in which no certificate can be read",
                hint: "name a readable PEM file with the certificate of your authority",
                mayHaveHappened: false)
        }
    }

    /// The bundle that the configuration names, else the one of `AWS_CA_BUNDLE`, else none.
    package static func chosen(
        _ configured: String?, environment: [String: String]
    ) throws -> TrustBundle? {
        if let configured { return try TrustBundle(file: configured, askedBy: "caBundle") }
        guard let file = environment["AWS_CA_BUNDLE"], !file.isEmpty else { return nil }
        return try TrustBundle(file: file, askedBy: "AWS_CA_BUNDLE")
    }
}
