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
        ("ListObjectsV2", "The bucket is a Requester Pays bucket", "payer"),
    ])
    func whatTheMessageSaysChoosesTheNextStep(_ call: String, _ message: String, _ hint: String) {
        let error = told(.error(403, "AccessDenied", message: message), by: call)
        #expect(error.hint?.contains(hint) == true, "\(error)")
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
