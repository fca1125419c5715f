import MooringAWS
import MooringModel

extension S3Refusal {
    /// What the code means here.
    var words: Words {
        credentialWords ?? placeWords ?? stateWords ?? serviceWords
            ?? Words(found: "the service refused", showsMessage: true)
    }

    private var credentialWords: Words? {
        switch error.code {
        case "InvalidAccessKeyId":
            Words(
                found: "the service does not know the access key",
                hint: "check AWS_ACCESS_KEY_ID or the profile, and that the endpoint is the "
                    + "service that gave the key")
        case "SignatureDoesNotMatch":
            Words(
                found: "the secret access key does not belong to the access key",
                hint: "check AWS_SECRET_ACCESS_KEY or the profile")
        case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired":
            Words(
                found: "the temporary credentials have ended",
                hint: "get new ones, and run the command again")
        case "InvalidToken":
            Words(
                found: "the session token is not valid",
                hint: "get new temporary credentials, or unset AWS_SESSION_TOKEN for a permanent "
                    + "key")
        case "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture":
            Words(
                found: "this machine's clock and the service's differ"
                    + (clockDifference.map { " by up to \($0.label)" } ?? "")
                    + ", more than a signature bears",
                hint: "set this machine's clock, and run the command again")
        case "UserSuspended", "AccountProblem", "NotSignedUp", "AllAccessDisabled":
            Words(
                found: "the service has shut out this user, account or bucket",
                hint: "ask whoever runs the service", showsMessage: true)
        case "AccessDenied", "Forbidden", "UnauthorizedAccess", "HTTP 403", "HTTP 401":
            deniedWords
        default: nil
        }
    }

    private var deniedWords: Words {
        let message = error.message.lowercased()
        if let words = lockWords(message) { return words }
        if message.contains("kms") { return kmsWords }
        if message.contains("requester pays") || message.contains("requester-pays") {
            return Words(
                found: "the bucket wants whoever asks to pay",
                hint: place.requesterPays
                    ? "requests say so already (requesterPays); ask the bucket's owner what its "
                        + "policy refuses"
                    : "write requesterPays: true under s3:, and the account of these credentials "
                        + "pays; or audit it with an account of the bucket's owner")
        }
        let isWrite = ["PutObject", "CopyObject", "DeleteObject", "UploadPartCopy"]
            .contains { error.call.hasPrefix($0) }
        if isWrite, message.contains("explicit deny") {
            return Words(
                found: "a policy denies it, whatever else allows it; it needs \(permissions)",
                hint: "look for a Deny in the bucket's policy: one on s3:if-match or "
                    + "s3:if-none-match demands conditional writes, under which copies are "
                    + "forbidden; `mooring doctor --probe` tells what is left",
                showsMessage: true)
        }
        var found = "no permission; it needs \(permissions)"
        if place.expectedOwner != nil {
            found += ", or the bucket belongs to another account than expectedOwner says"
        }
        return Words(
            found: found,
            hint: "`mooring iam-policy --for audit` or `--for repair` prints what to allow; a "
                + "bucket policy can refuse it as well"
                // No directory bucket asks whoever looks to pay.
                + (place.requesterPays || place.isZonal
                    ? "" : ", and so does a bucket where the requester pays (requesterPays: true)"),
            showsMessage: true)
    }

    private var placeWords: Words? {
        switch error.code {
        case "NoSuchBucket":
            return Words(
                found: "there is no bucket \(VisibleKey.text(Array(place.bucket.utf8))) at "
                    + place.endpoint.authority,
                hint: "check bucket, region and endpoint under s3:")
        case "NoSuchAccessPoint":
            return Words(
                found: "there is no access point \(VisibleKey.text(Array(place.bucket.utf8))) at "
                    + place.endpoint.authority,
                hint: "check its region, account and name under s3: bucket")
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException", "IllegalLocationConstraint",
            "IncorrectEndpoint", "HTTP 301", "HTTP 307", "HTTP 308":
            let region = error.region.flatMap { S3Host.isRegion($0[...]) ? $0 : nil }
            return Words(
                found: "the bucket is in another region than was asked"
                    + (region.map { ": \($0)" } ?? ""),
                hint: "set region: \(region ?? "REGION") under s3:, and an endpoint of that "
                    + "region where you set one; Mooring does not leave a configured endpoint")
        case "InvalidBucketName":
            return Words(
                found: "the service takes no bucket of this name",
                hint: "check bucket and pathStyle under s3:")
        default: return nil
        }
    }

    private var stateWords: Words? {
        let message = error.message.lowercased()
        if error.code.hasPrefix("KMS.") { return kmsWords }
        switch error.code {
        case "InvalidObjectState":
            return Words(
                found: "the object is archived, and can be neither read nor copied",
                hint: "bring it back with RestoreObject first, or set the repair to keep")
        case "InvalidRequest", "ObjectLocked", "MethodNotAllowed":
            return lockWords(message)
        case "QuotaExceeded":
            return Words(
                found: "the quota of this user or bucket is used up",
                hint: "raise it, or sweep what is past its retention", showsMessage: true)
        case "PreconditionFailed", "HTTP 412":
            return Words(found: "the object is not the expected version any more")
        case "ConditionalRequestConflict", "OperationAborted", "HTTP 409":
            return Words(
                found: "somebody else writes the same key at this moment",
                hint: "run the command again")
        case "NoSuchKey", "NoSuchVersion", "NotFound", "HTTP 404":
            return Words(found: "there is no such object")
        case "NoSuchUpload":
            return Words(found: "there is no such open upload")
        default: return nil
        }
    }

    private var serviceWords: Words? {
        switch (error.status, error.code) {
        case (_, "SlowDown"), (503, _), (429, _):
            Words(
                found: "the service asks to slow down, after several sendings still",
                hint: "set a lower concurrency under s3:, and run the command again")
        case (501, _):
            Words(
                found: "the service does not know this call, or one of its conditions",
                hint: "`mooring doctor --probe` tells what it can do", showsMessage: true)
        case (408, _), (_, "RequestTimeout"):
            Words(
                found: "the service waited too long for the request",
                hint: "run the command again")
        case (500..., _):
            Words(
                found: "the service failed, and may have done what was asked",
                hint: "run the command again when it is well")
        case (400, "HTTP 400"):
            Words(
                found: "the service refused without a word, as it does with a wrong region, "
                    + "credentials that have ended, and customer keys",
                hint: "`mooring doctor` asks where answers have words")
        default: nil
        }
    }

    private var kmsWords: Words {
        Words(
            found: "the object's key in KMS cannot be used",
            hint: "allow kms:Decrypt, and kms:GenerateDataKey for repairs, and see that the key "
                + "is enabled",
            showsMessage: true)
    }

    private func lockWords(_ message: String) -> Words? {
        if message.contains("mfa") {
            return Words(
                found: "the bucket has MFA delete on, and Mooring has no second factor",
                hint: "set the repair to keep, or remove by hand what the report names")
        }
        let words = ["object lock", "objectlock", "worm", "legal hold", "retention", "governance"]
        guard error.code == "ObjectLocked" || words.contains(where: { message.contains($0) })
        else { return nil }
        return Words(
            found: "the object is locked against removal",
            hint: "wait for the end of its retention, or set the repair to keep",
            showsMessage: true)
    }
}
