import MooringAWS
import MooringModel

/// What S3 refuses, and what never got an answer, in Mooring's words.
enum S3Refusal {
    private static let permissions = [
        "HeadBucket": "s3:ListBucket", "ListObjectsV2": "s3:ListBucket",
        "HeadObject": "s3:GetObject and s3:ListBucket", "GetObject": "s3:GetObject",
        "PutObject": "s3:PutObject", "CopyObject": "s3:GetObject and s3:PutObject",
        "CreateMultipartUpload": "s3:PutObject", "CompleteMultipartUpload": "s3:PutObject",
        "UploadPartCopy": "s3:GetObject and s3:PutObject",
        "AbortMultipartUpload": "s3:AbortMultipartUpload",
        "ListMultipartUploads": "s3:ListBucketMultipartUploads",
        "ListParts": "s3:ListMultipartUploadParts",
        "DeleteObject": "s3:DeleteObject and, of a version, s3:DeleteObjectVersion",
        "DeleteObjects": "s3:DeleteObject and, of a version, s3:DeleteObjectVersion",
        "GetObjectTagging": "s3:GetObjectTagging and, of a version, s3:GetObjectVersionTagging",
        "PutObjectTagging": "s3:PutObjectTagging and, of a version, s3:PutObjectVersionTagging",
        "GetBucketVersioning": "s3:GetBucketVersioning",
        "ListObjectVersions": "s3:ListBucketVersions",
    ]

    /// What was refused, and the next step.
    static func words(_ error: S3Error) -> (reason: String, hint: String?) {
        let text = error.message.isEmpty ? "" : ": \(error.message.prefix(200))"
        let named = error.code == "HTTP \(error.status)" ? "" : " \(error.code)"
        return ("\(error.call) was refused with \(error.status)\(named)\(text)", hint(error))
    }

    private static func hint(_ error: S3Error) -> String? {
        switch (error.status, error.code) {
        case (_, "NoSuchBucket"): "check the bucket's name, endpoint and region"
        case (_, "InvalidAccessKeyId"), (_, "SignatureDoesNotMatch"), (_, "ExpiredToken"):
            "check the credentials"
        case (_, "RequestTimeTooSkewed"): "set this machine's clock"
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"):
            "set the bucket's region in the configuration"
        case (403, _):
            permissions[error.call].map {
                "allow \($0), and look for a policy or object lock that denies it"
            }
        case (400, _) where error.call == "HeadObject":
            "an object with a customer's own encryption key cannot be looked at"
        case (503, _), (429, _): "run again when the store has less to do"
        default: nil
        }
    }
}

extension StoreError {
    /// A refusal by the store; what it answers with 5xx may have been done.
    init(_ error: S3Error, at key: ObjectKey?, of client: S3Client) {
        let (reason, hint) = S3Refusal.words(error)
        self.init(
            place: key?.text ?? client.place.bucket, reason: reason, hint: hint,
            isRefusal: (300..<500).contains(error.status))
    }

    /// A call without an answer.
    init(_ failure: AWSFailure, at key: ObjectKey?, of client: S3Client) {
        self.init(
            place: key?.text ?? client.place.bucket, reason: "\(failure.call): \(failure.reason)",
            hint: failure.hint, isRefusal: !failure.mayHaveHappened)
    }

    /// The same, in the middle of an act that has changed something already.
    var unsettled: StoreError {
        StoreError(place: place, reason: reason, hint: hint, isRefusal: false)
    }

    /// The same, where nothing was changed yet.
    var harmless: StoreError {
        StoreError(place: place, reason: reason, hint: hint, isRefusal: true)
    }
}
