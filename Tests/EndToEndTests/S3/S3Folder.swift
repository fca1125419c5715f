import Foundation
import TestServers

/// A folder with a configuration of one S3 bucket called `media`, and few records.
final class S3Folder: Folder {
    /// The variables with which a server's own account asks.
    static func variables(_ user: String = "test") -> [String: String] {
        [
            "AWS_ACCESS_KEY_ID": user, "AWS_SECRET_ACCESS_KEY": "testsecret",
            "AWS_EC2_METADATA_DISABLED": "true",
        ]
    }

    /// An app of which a bucket at an endpoint holds the files.
    init(
        endpoint: String, bucket: String, prefixes: String = "[\"\"]", repair: String = "{}"
    ) throws {
        super.init(path: try Folder.make())
        try write("Song.csv", "id,cover\ns1,public/one\n")
        try write(
            "mooring.yaml",
            """
            version: 1
            records:
              - name: app
                csv: ./Song.csv
                taken: "2026-11-20T00:00:00Z"
                models: [{model: Song, files: [{field: cover, bucket: media}]}]
            buckets:
              - name: media
                s3: {bucket: \(bucket), endpoint: "\(endpoint)"}
                prefixes: \(prefixes)
            repair: \(repair)
            """)
    }
}
