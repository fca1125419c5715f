/// Which permissions of IAM each call of S3 needs.
package enum S3Permission {
    private static let table: [String: [String]] = [
        "AbortMultipartUpload": ["s3:AbortMultipartUpload"],
        "CompleteMultipartUpload": ["s3:PutObject"],
        "CopyObject": ["s3:GetObject", "s3:PutObject"],
        "CreateMultipartUpload": ["s3:PutObject"],
        "DeleteObject": ["s3:DeleteObject"],
        "DeleteObjects": ["s3:DeleteObject"],
        "DeleteObjectTagging": ["s3:DeleteObjectTagging"],
        "GetBucketEncryption": ["s3:GetEncryptionConfiguration"],
        "GetBucketLifecycleConfiguration": ["s3:GetLifecycleConfiguration"],
        "GetBucketLocation": ["s3:GetBucketLocation"],
        "GetBucketLogging": ["s3:GetBucketLogging"],
        "GetBucketNotificationConfiguration": ["s3:GetBucketNotification"],
        "GetBucketPolicy": ["s3:GetBucketPolicy"],
        "GetBucketPolicyStatus": ["s3:GetBucketPolicyStatus"],
        "GetBucketRequestPayment": ["s3:GetBucketRequestPayment"],
        "GetBucketVersioning": ["s3:GetBucketVersioning"],
        "GetObject": ["s3:GetObject"],
        "GetObjectAcl": ["s3:GetObjectAcl"],
        "GetObjectAttributes": ["s3:GetObject", "s3:GetObjectAttributes"],
        "GetObjectLegalHold": ["s3:GetObjectLegalHold"],
        "GetObjectLockConfiguration": ["s3:GetBucketObjectLockConfiguration"],
        "GetObjectRetention": ["s3:GetObjectRetention"],
        "GetObjectTagging": ["s3:GetObjectTagging"],
        "HeadBucket": ["s3:ListBucket"],
        // Without the second, a key that is not there is refused like one that may not be read.
        "HeadObject": ["s3:GetObject", "s3:ListBucket"],
        "ListBuckets": ["s3:ListAllMyBuckets"],
        "ListMultipartUploads": ["s3:ListBucketMultipartUploads"],
        "ListObjects": ["s3:ListBucket"],
        "ListObjectsV2": ["s3:ListBucket"],
        "ListObjectVersions": ["s3:ListBucketVersions"],
        "ListParts": ["s3:ListMultipartUploadParts"],
        "PutObject": ["s3:PutObject"],
        "PutObjectAcl": ["s3:PutObjectAcl"],
        "PutObjectTagging": ["s3:PutObjectTagging"],
        "RestoreObject": ["s3:RestoreObject"],
        "UploadPart": ["s3:PutObject"],
        "UploadPartCopy": ["s3:GetObject", "s3:PutObject"],
    ]
    private static let suffixed: [String: String] = [
        "s3:GetObject": "s3:GetObjectVersion", "s3:DeleteObject": "s3:DeleteObjectVersion",
        "s3:GetObjectTagging": "s3:GetObjectVersionTagging",
        "s3:PutObjectTagging": "s3:PutObjectVersionTagging",
        "s3:DeleteObjectTagging": "s3:DeleteObjectVersionTagging",
        "s3:GetObjectAcl": "s3:GetObjectVersionAcl",
        "s3:PutObjectAcl": "s3:PutObjectVersionAcl",
        "s3:GetObjectAttributes": "s3:GetObjectVersionAttributes",
    ]

    /// What a call needs, none for a call that is not known; `ofVersion` where it names the
    /// version, `isConditional` where a removal compares the ETag.
    package static func needed(
        by call: String, ofVersion: Bool = false, isConditional: Bool = false
    ) -> [String] {
        var names = table[call] ?? []
        if ofVersion { names = names.map { suffixed[$0] ?? $0 } }
        if isConditional, call.hasPrefix("DeleteObject"), !names.contains("s3:GetObject") {
            names.append("s3:GetObject")
        }
        return names
    }

    /// The names of all calls that are known, sorted.
    package static var calls: [String] { table.keys.sorted() }
}
