import MooringConfiguration
import MooringModel

/// The doctor's lines on how a bucket of S3 is reached, where that has consequences that nobody
/// sees in an answer.
struct S3Words {
    /// The configuration.
    let session: Session

    /// The lines on one bucket; none of a bucket that is reached as most are.
    func checks(_ bucket: any Bucket) -> [Check] {
        let own = session.configuration.buckets.first { $0.name == bucket.name }
        guard case .s3(let settings)? = own?.store else { return [] }
        return [
            settings.isDirectory
                ? Check(
                    name: "limits of \(bucket.name)", result: .noted,
                    detail: "it lists in no order and keeps no versions: nothing in it is "
                        + "repaired, quarantined or swept, no lease is taken, and open uploads are "
                        + "not looked at (uploadWindow covers them)")
                : nil,
            accessPoint(settings).map {
                Check(name: "access point of \(bucket.name)", result: .noted, detail: $0)
            },
            settings.requesterPays
                ? Check(
                    name: "payer of \(bucket.name)", result: .noted,
                    detail: "requesterPays is set: where the bucket lets whoever asks pay, the "
                        + "account of these credentials pays for each request and each byte read")
                : nil,
        ].compactMap { $0 }
    }

    private func accessPoint(_ settings: S3Settings) -> String? {
        guard settings.isAccessPoint else { return nil }
        let told =
            "the bucket answers by an access point, which may not tell its settings (lifecycle, "
            + "versioning, object lock); where it keeps versions and does not tell its object "
            + "lock, nothing is changed"
        guard settings.bucketName == nil else { return told }
        return told
            + "; nor does it tell the bucket's name: records and logs that hold it are not "
            + "matched without bucketName: under s3"
    }
}
