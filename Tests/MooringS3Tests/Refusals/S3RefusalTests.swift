import MooringAWS
import MooringModel
import MooringS3
import Testing

@Suite struct S3RefusalTests {
    private func told(
        _ response: AWSResponse, by call: String = "ListObjectsV2", owner: String? = nil,
        key: String? = nil
    ) -> StoreError {
        var refusal = S3Refusal(
            S3Error(call: call, response),
            place: S3Place(
                bucket: "photos", endpoint: Origin(host: "s3.amazonaws.com"), usesPath: false,
                expectedOwner: owner),
            key: key.map { ObjectKey($0) })
        refusal.clockDifference = .minutes(20)
        return refusal.storeError
    }

    @Test(arguments: [
        ("InvalidAccessKeyId", 403, "access key"), ("SignatureDoesNotMatch", 403, "secret"),
        ("ExpiredToken", 400, "temporary credentials"), ("AccessDenied", 403, "s3:ListBucket"),
        ("NoSuchBucket", 404, "no bucket photos at s3.amazonaws.com"),
        ("PermanentRedirect", 301, "another region"),
        ("InvalidObjectState", 403, "archived"), ("KMS.DisabledException", 400, "KMS"),
        ("RequestTimeTooSkewed", 403, "20m"), ("UserSuspended", 403, "shut out"),
        ("QuotaExceeded", 403, "quota"), ("SlowDown", 503, "slow down"),
        ("InternalError", 500, "failed"), ("NotImplemented", 501, "does not know"),
        ("InvalidToken", 400, "session token"), ("PreconditionFailed", 412, "expected version"),
        ("Unheard", 418, "refused"),
    ])
    func eachRefusalSaysWhatWasFound(_ code: String, _ status: Int, _ words: String) {
        let error = told(.error(status, code))
        #expect(error.reason.hasPrefix("ListObjectsV2: ") && error.reason.contains(words))
        #expect(error.reason.contains(code) && error.place == "s3://photos")
        #expect(error.isRefusal == (status < 500 || status == 501))
    }

    @Test("where an owner is expected, a denial may mean that it is another one")
    func otherOwner() {
        let error = told(.error(403, "AccessDenied"), owner: "123456789012")
        #expect(
            error.reason.contains(
                "no permission; it needs s3:ListBucket, or the bucket belongs to another account "
                    + "than expectedOwner says"))
        #expect(!told(.error(403, "AccessDenied")).reason.contains("expectedOwner"))
    }

    /// One refusal: the answer, and what is said of it and to be done.
    struct Line: Sendable {
        let code: String
        let status: Int
        var call = "ListObjectsV2"
        var message = ""
        let found: String
        var hint: String?
    }

    private static let lines = [
        Line(
            code: "InvalidAccessKeyId", status: 403,
            found: "the service does not know the access key",
            hint: "check AWS_ACCESS_KEY_ID or the profile, and that the endpoint is the service "
                + "that gave the key"),
        Line(
            code: "SignatureDoesNotMatch", status: 403,
            found: "the secret access key does not belong to the access key",
            hint: "check AWS_SECRET_ACCESS_KEY or the profile"),
        Line(
            code: "ExpiredToken", status: 400, found: "the temporary credentials have ended",
            hint: "get new ones, and run the command again"),
        Line(
            code: "InvalidToken", status: 400, found: "the session token is not valid",
            hint: "get new temporary credentials, or unset AWS_SESSION_TOKEN for a permanent key"),
        Line(
            code: "RequestTimeTooSkewed", status: 403,
            found: "this machine's clock and the service's differ by up to 20m, more than a "
                + "signature bears",
            hint: "set this machine's clock, and run the command again"),
        Line(
            code: "UserSuspended", status: 403,
            found: "the service has shut out this user, account or bucket",
            hint: "ask whoever runs the service"),
        Line(
            code: "AccessDenied", status: 403, found: "no permission; it needs s3:ListBucket",
            hint: "`mooring iam-policy --for audit` or `--for repair` prints what to allow; a "
                + "bucket policy can refuse it as well, and so does a bucket where the requester "
                + "pays (requesterPays: true)"),
        Line(
            code: "AccessDenied", status: 403, call: "Unheard",
            found: "no permission; it needs the permission for Unheard",
            hint: "`mooring iam-policy --for audit` or `--for repair` prints what to allow; a "
                + "bucket policy can refuse it as well, and so does a bucket where the requester "
                + "pays (requesterPays: true)"),
        Line(
            code: "AccessDenied", status: 403, message: "this is a Requester Pays bucket",
            found: "the bucket wants whoever asks to pay",
            hint: "write requesterPays: true under s3:, and the account of these credentials "
                + "pays; or audit it with an account of the bucket's owner"),
        Line(
            code: "AccessDenied", status: 403, call: "DeleteObject",
            message: "with an explicit deny",
            found: "a policy denies it, whatever else allows it; it needs s3:DeleteObject",
            hint: "look for a Deny in the bucket's policy: one on s3:if-match or s3:if-none-match "
                + "demands conditional writes, under which copies are forbidden; `mooring doctor "
                + "--probe` tells what is left"),
        Line(
            code: "AccessDenied", status: 403, call: "DeleteObject",
            message: "Mfa Authentication must be used",
            found: "the bucket has MFA delete on, and Mooring has no second factor",
            hint: "set the repair to keep, or remove by hand what the report names"),
        Line(
            code: "AccessDenied", status: 403, call: "DeleteObject",
            message: "object protected by object lock",
            found: "the object is locked against removal",
            hint: "wait for the end of its retention, or set the repair to keep"),
        Line(
            code: "NoSuchBucket", status: 404,
            found: "there is no bucket photos at s3.amazonaws.com",
            hint: "check bucket, region and endpoint under s3:"),
        Line(
            code: "PermanentRedirect", status: 301,
            found: "the bucket is in another region than was asked",
            hint: "set region: REGION under s3:, and an endpoint of that region where you set one; "
                + "Mooring does not leave a configured endpoint"),
        Line(
            code: "InvalidBucketName", status: 400,
            found: "the service takes no bucket of this name",
            hint: "check bucket and pathStyle under s3:"),
        Line(
            code: "InvalidObjectState", status: 403,
            found: "the object is archived, and can be neither read nor copied",
            hint: "bring it back with RestoreObject first, or set the repair to keep"),
        Line(
            code: "QuotaExceeded", status: 403,
            found: "the quota of this user or bucket is used up",
            hint: "raise it, or sweep what is past its retention"),
        Line(
            code: "PreconditionFailed", status: 412,
            found: "the object is not the expected version any more"),
        Line(
            code: "ConditionalRequestConflict", status: 409,
            found: "somebody else writes the same key at this moment",
            hint: "run the command again"),
        Line(code: "NoSuchUpload", status: 404, found: "there is no such open upload"),
        Line(
            code: "KMS.DisabledException", status: 400,
            found: "the object's key in KMS cannot be used",
            hint: "allow kms:Decrypt, and kms:GenerateDataKey for repairs, and see that the key is "
                + "enabled"),
        Line(
            code: "SlowDown", status: 503,
            found: "the service asks to slow down, after several sendings still",
            hint: "set a lower concurrency under s3:, and run the command again"),
        Line(
            code: "NotImplemented", status: 501,
            found: "the service does not know this call, or one of its conditions",
            hint: "`mooring doctor --probe` tells what it can do"),
        Line(
            code: "RequestTimeout", status: 400,
            found: "the service waited too long for the request", hint: "run the command again"),
        Line(
            code: "InternalError", status: 500,
            found: "the service failed, and may have done what was asked",
            hint: "run the command again when it is well"),
    ]

    @Test(arguments: lines)
    func eachRefusalIsSaidInWordsWithTheNextStep(_ line: Line) {
        let error = told(
            .error(line.status, line.code, message: line.message), by: line.call)
        #expect(error.reason.hasPrefix("\(line.call): \(line.found) (\(line.code), status "))
        #expect(error.hint == line.hint)
    }

    @Test func anAnswerWithoutWordsIsToldAsThat() {
        let error = told(.error(400))
        #expect(
            error.reason.hasPrefix(
                "ListObjectsV2: the service refused without a word, as it does with a wrong "
                    + "region, credentials that have ended, and customer keys (HTTP 400"))
        #expect(error.hint == "`mooring doctor` asks where answers have words")
        let doubtful = told(.error(412).behindDoubt, by: "DeleteObject")
        #expect(doubtful.reason.contains("after a sending without an answer"))
    }

    @Test func aMissingPermissionIsNamedWithTheNextStep() {
        let head = told(.error(403), by: "HeadObject", owner: "1", key: "k")
        #expect(head.reason.contains("s3:GetObject and s3:ListBucket"))
        #expect(head.reason.contains("another account") && head.reason.contains("HTTP 403"))
        #expect(head.hint?.contains("mooring iam-policy") == true)
        #expect(head.place == "s3://photos/k")
    }

    @Test(arguments: [
        ("DeleteObject", "x with an explicit deny in a resource-based policy", "s3:if-match"),
        ("CopyObject", "not authorized: explicit deny", "copies"),
        ("DeleteObject", "Access Denied because object protected by object lock.", "retention"),
        ("DeleteObject", "Mfa Authentication must be used for this request", "by hand"),
        ("CopyObject", "The ciphertext refers to a kms key that you may not use", "kms:Decrypt"),
        ("ListObjectsV2", "The bucket is a Requester Pays bucket", "requesterPays: true"),
    ])
    func whatTheMessageSaysChoosesTheNextStep(_ call: String, _ message: String, _ hint: String) {
        let error = told(.error(403, "AccessDenied", message: message), by: call)
        #expect(error.hint?.contains(hint) == true, "\(error)")
    }

    @Test func whoPaysAlreadyIsNotToldToPay() {
        var place = S3Place(bucket: "photos", endpoint: Origin(host: "h"), usesPath: true)
        place.requesterPays = true
        for message in ["", "this is a Requester Pays bucket"] {
            let answer = AWSResponse.error(403, "AccessDenied", message: message)
            let error = S3Refusal(S3Error(call: "ListObjectsV2", answer), place: place).storeError
            #expect(error.hint?.contains("requesterPays: true") == false, "\(error)")
        }
    }

    @Test func aLockMaySayInvalidRequest() {
        let error = told(
            .error(400, "InvalidRequest", message: "The object is WORM protected"),
            by: "DeleteObject")
        #expect(error.reason.contains("locked"))
    }

    @Test func onlyASaidNoIsARefusal() {
        #expect(!told(.error(400, "RequestTimeout"), by: "DeleteObject").isRefusal)
        #expect(!told(.error(408), by: "DeleteObject").isRefusal)
        #expect(!told(.error(503, "SlowDown"), by: "DeleteObject").isRefusal)
        #expect(!told(.error(412).behindDoubt, by: "DeleteObject").isRefusal)
        #expect(told(.error(412), by: "DeleteObject").isRefusal)
        let failure = AWSFailure(call: "DeleteObject", reason: "x", mayHaveHappened: false)
        let place = S3Place(bucket: "b", endpoint: Origin(host: "h"), usesPath: true)
        #expect(!StoreError(failure, place: place).isRefusal)
    }

    @Test func noKeyAndNoServerActsOnATerminal() {
        let error = told(
            .error(
                418, "Odd", message: "\u{1b}[2J\nhello",
                headers: [("x-amz-request-id", "a\u{7}")]),
            by: "GetObject", key: "a\u{1b}[2J\nb\u{202E}c")
        #expect(error.place == "s3://photos/a\\x1b[2J\\x0ab\\u{202e}c")
        for text in [error.place, error.reason, error.hint ?? ""] {
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        }
        #expect(
            VisibleKey.place("b", ObjectKey([0xFF, 0x61, 0xC3, 0x28])) == "s3://b/\\xffa\\xc3(")
    }

    @Test(arguments: [
        "The signature we computed, abcdef, is not yours", "The provided token abc is malformed",
        "AWS4-HMAC-SHA256 Credential=AKIA/x", "Authorization: Basic abc",
    ])
    func whatWasSentIsNotRepeated(_ message: String) {
        #expect(!told(.error(403, "AccessDenied", message: message)).reason.contains("abc"))
        #expect(!told(.error(400, "Odd", message: message)).reason.contains("AKIA"))
    }

    @Test func aBodyThatIsNoXMLMayHoldAWord() {
        let body = Array("<Error><Code>AccessDenied</Code><Key>\u{1}</Key></Error>".utf8)
        let found = S3Error(
            call: "GetObject", AWSResponse(status: 403, headers: [], body: body))
        #expect(found.code == "AccessDenied")
        let page = AWSResponse(status: 502, headers: [], body: Array("<html>".utf8))
        #expect(S3Error(call: "GetObject", page).code == "HTTP 502")
    }

    @Test func everyKnownCallNamesAPermission() {
        for call in S3Permission.calls {
            #expect(S3Permission.needed(by: call).allSatisfy { $0.hasPrefix("s3:") })
        }
        #expect(
            S3Permission.needed(by: "HeadObject", ofVersion: true).contains("s3:GetObjectVersion"))
        #expect(
            S3Permission.needed(by: "DeleteObject", isConditional: true)
                == ["s3:DeleteObject", "s3:GetObject"])
        #expect(S3Permission.needed(by: "ListObjectVersions") == ["s3:ListBucketVersions"])
        #expect(S3Permission.needed(by: "Unheard").isEmpty)
    }
}
