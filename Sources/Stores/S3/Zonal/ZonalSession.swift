package import MooringAWS
package import MooringModel

/// The session by which a directory bucket of S3 answers: keys of its own for five minutes, with
/// which this bucket can be read and not changed.
///
/// The usual credentials are shown to CreateSession alone. Whoever asks for keys later gets those
/// of the session, and of the next one before it ends, or once the store refused it.
package struct ZonalSession: CredentialSource {
    /// The service's name in signatures.
    package static let service = "s3express"
    /// The header that holds a session's token.
    package static let tokenHeader = "x-amz-s3session-token"

    // A session lives for five minutes (API reference, CreateSession); whatever an answer says, it
    // is not used for longer.
    private static let lifetime = Duration.minutes(5)
    private static let early = Duration.minutes(2)
    private static let late = Duration.seconds(30)
    private static let call = "CreateSession"

    private let refreshed: RefreshedCredentials

    /// Sessions of the bucket at a place; `caller` signs with the usual credentials.
    package init(
        place: S3Place, caller: any AWSCaller, clock: @escaping @Sendable () -> Instant
    ) {
        refreshed = RefreshedCredentials(clock: clock, early: Self.early, late: Self.late) {
            try await Self.open(place, caller, clock)
        }
    }

    /// The keys of a session that has not ended. Throws `AWSFailure` where none is opened.
    package func credentials() async throws -> Credentials {
        try await refreshed.credentials()
    }

    /// Lets go of a session that the store refused.
    package func wereRefused(_ credentials: Credentials) async {
        await refreshed.forget(credentials)
    }

    private static func open(
        _ place: S3Place, _ caller: any AWSCaller, _ clock: @Sendable () -> Instant
    ) async throws -> Credentials {
        var request = AWSRequest(
            call, method: "GET", origin: place.origin, path: place.path(),
            query: [.init("session")],
            // Such a session is refused every call that would change something.
            headers: [("x-amz-create-session-mode", "ReadOnly")], isRepeatable: true)
        request.bodyLimit = 1 << 20
        let sentAt = clock()
        let response = try await caller.send(request)
        guard response.status == 200 else { throw refusal(response, place) }
        return try read(response, sentAt: sentAt)
    }

    private static func read(
        _ response: AWSResponse, sentAt: Instant
    ) throws -> Credentials {
        let document: XMLDocument
        do {
            document = try XMLDocument(response.body)
        } catch {
            throw failure("the answer is no valid XML: it \(error.reason)")
        }
        guard document.name == "CreateSessionResult", let found = document["Credentials"] else {
            throw failure("the answer holds no session")
        }
        func text(_ name: String) throws -> String {
            // Each of them is sent in a header, so that nothing may end one.
            guard let text = found[name]?.text, !text.isEmpty,
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw failure("the answer holds a session without \(name)") }
            return text
        }
        guard let end = found["Expiration"].flatMap({ Instant(iso8601: $0.text) }) else {
            throw failure("the answer holds a session that does not say when it ends")
        }
        // The store says both by its own clock, which may differ from this machine's.
        let told = response["date"].flatMap { HTTPDate.parse($0) }
        let left = end - (told ?? sentAt)
        guard left > .zero else { throw failure("the answer holds a session that has ended") }
        return Credentials(
            accessKeyID: try text("AccessKeyId"), secretAccessKey: try text("SecretAccessKey"),
            sessionToken: try text("SessionToken"), expiresAt: sentAt + min(left, lifetime))
    }

    private static func refusal(_ response: AWSResponse, _ place: S3Place) -> AWSFailure {
        let error = S3Error(call: call, response)
        let found =
            error.code.hasPrefix("HTTP ") ? error.code : "\(error.status) \(error.code)"
        let hint =
            switch error.status {
            case 403:
                "allow s3express:CreateSession on the bucket, in a policy of whoever asks or of "
                    + "the bucket (mooring iam-policy --for audit), then run mooring audit"
            case 404:
                "compare the bucket's name, its zone and its region, then run mooring audit"
            default: "run mooring doctor, and ask whoever runs the store"
            }
        return failure("answered \(found)", hint: hint)
    }

    // What an answer holds may be a secret, and is never told.
    private static func failure(
        _ found: String, hint: String = "run mooring doctor, and ask whoever runs the store"
    ) -> AWSFailure {
        AWSFailure(
            call: call,
            reason: "no session was opened with the directory bucket (\(call): \(found)), so that "
                + "nothing in it is listed or looked at",
            hint: hint, mayHaveHappened: false)
    }
}

/// Calls to a directory bucket under its sessions, counted together with those that open them.
package struct ZonalCaller: AWSCaller {
    private let opening: any AWSCaller
    private let asking: any AWSCaller

    /// Calls by `asking`, whose keys are sessions that `opening` opens.
    package init(opening: any AWSCaller, asking: any AWSCaller) {
        self.opening = opening
        self.asking = asking
    }

    /// Sends a call under a session.
    package func send(_ request: AWSRequest) async throws -> AWSResponse {
        try await asking.send(request)
    }

    /// Those of both.
    package var requestCounts: [String: Int] {
        asking.requestCounts.merging(opening.requestCounts, uniquingKeysWith: +)
    }
    /// That of both.
    package var traffic: RequestTraffic {
        var sum = asking.traffic
        sum.add(opening.traffic)
        return sum
    }
    /// That of the calls under a session.
    package var clockDifference: Duration? { asking.clockDifference }
}
