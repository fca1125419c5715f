import Foundation
import MooringModel

/// A role that is asked for.
package struct RoleRequest: Sendable {
    /// The role's name in full.
    let role: String
    /// What the session is called in the logs of the account.
    var session: String?
    /// How long the credentials are asked to last.
    var seconds: Int?
    /// A word that the role's owner asks for.
    var externalID: String?

    /// A role, by its name in full; without a session's name it is `mooring`.
    package init(
        role: String, session: String? = nil, seconds: Int? = nil, externalID: String? = nil
    ) {
        self.role = role
        self.session = session
        self.seconds = seconds
        self.externalID = externalID
    }
}

/// The Security Token Service: gives temporary credentials of a role.
struct TokenService: Sendable {
    private let context: ChainContext
    private let region: String?
    private let profile: String?

    /// The service of a region; without one, the one that serves all. The profile is the one that
    /// may ask for another kind of host.
    init(_ context: ChainContext, region: String?, profile: String? = nil) {
        self.context = context
        self.region = region
        self.profile = profile
    }

    /// Credentials of a role for somebody who has credentials.
    func assume(_ request: RoleRequest, as source: Credentials) async -> CredentialAnswer {
        await answer(fields("AssumeRole", request), signedBy: source)
    }

    /// Credentials of a role for the token in a file; `variable` is what names the file.
    func assume(_ request: RoleRequest, tokenFile: String, named variable: String) async
        -> CredentialAnswer
    {
        guard let path = context.expanded(tokenFile) else {
            return .failure("the file of \(variable) needs HOME, which is not set")
        }
        do {
            let token = try TokenFile.token(at: path, named: variable)
            let fields = fields("AssumeRoleWithWebIdentity", request)
            return await answer(fields + [("WebIdentityToken", token)], signedBy: nil)
        } catch {
            return .failure("\(error)")
        }
    }

    private func fields(_ action: String, _ request: RoleRequest) -> [(String, String)] {
        var fields = [
            ("Action", action), ("Version", "2011-06-15"), ("RoleArn", request.role),
            ("RoleSessionName", request.session ?? "mooring"),
        ]
        if let seconds = request.seconds { fields.append(("DurationSeconds", "\(seconds)")) }
        if let word = request.externalID { fields.append(("ExternalId", word)) }
        return fields
    }

    private func answer(_ fields: [(String, String)], signedBy source: Credentials?) async
        -> CredentialAnswer
    {
        let origin: Origin
        do {
            guard
                let found = try ServiceAddress(context, profile: profile).origin(
                    of: "sts", variable: "AWS_ENDPOINT_URL_STS", in: region,
                    worldwide: "sts.amazonaws.com")
            else {
                return .failure("the address of its token service is neither http nor https")
            }
            origin = found
        } catch {
            return .failure("\(error)")
        }
        let body = fields.map {
            PercentEncoding.part(Array($0.utf8)) + "=" + PercentEncoding.part(Array($1.utf8))
        }.joined(separator: "&")
        let request = AWSRequest(
            fields[0].1, method: "POST", origin: origin, path: Array("/".utf8),
            headers: [("content-type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: Array(body.utf8), isRepeatable: true)
        var headers = request.headers
        if let source {
            headers = Signer(region: region ?? "us-east-1", service: "sts")
                .sign(request, with: source, at: context.clock())
        }
        do {
            // Outside this machine, so by the ways and with the trust of every other call.
            let ways = try AWSClientSettings(environment: context.environment)
            let client = EndpointClient(
                proxy: ways.proxies.proxy(for: origin), trust: ways.trust)
            let answer = try await client.ask(
                .init(method: "POST", url: origin.text + "/", headers: headers, body: body),
                seconds: 10, attempts: 3)
            return Self.read(answer, call: request.call)
        } catch {
            return .failure("\(request.call): \(error)")
        }
    }

    private static func read(_ answer: EndpointClient.Answer, call: String) -> CredentialAnswer {
        guard answer.status == 200 else {
            // The code is a word of the service; its message may repeat what was sent.
            let code = XMLField("Code", in: answer.body)?.text.prefix(64) ?? ""
            let word = code.utf8.allSatisfy { isLetter($0) } ? " \(code)" : ""
            return .failure("\(call): refused with status \(answer.status)\(word)")
        }
        guard let part = XMLField("Credentials", in: answer.body)?.bytes,
            let end = XMLField("Expiration", in: part).flatMap({ Instant(iso8601: $0.text) })
        else { return .failure("\(call): the answer holds no credentials") }
        return .parts(
            XMLField("AccessKeyId", in: part)?.text, XMLField("SecretAccessKey", in: part)?.text,
            token: XMLField("SessionToken", in: part)?.text, expiresAt: end)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".")
    }
}

/// What stands in the first element of a name: enough for the flat answers of the token service.
struct XMLField {
    /// The bytes between the tags.
    let bytes: [UInt8]

    /// The first element without attributes that is called `name`; nil where there is none.
    init?(_ name: String, in document: [UInt8]) {
        guard let start = document.firstRange(of: Array("<\(name)>".utf8))?.upperBound,
            let end = document[start...].firstRange(of: Array("</\(name)>".utf8))?.lowerBound
        else { return nil }
        bytes = Array(document[start..<end])
    }

    /// The text, with the five named entities resolved and the blanks around it gone.
    var text: String {
        var text = String(decoding: bytes, as: UTF8.self)
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
        ] {
            text = text.replacing(entity, with: character)
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
