/// Reads what goes with an access point, and refuses what cannot go with one.
struct AccessPointReader {
    /// The section of `s3`, or of the bucket.
    let own: Section

    /// Takes the region from the access point's name, and the own name of the bucket behind it.
    func complete(_ settings: inout S3Settings) {
        if own.has("bucketName") { readName(&settings) }
        guard settings.isAccessPoint else { return }
        if settings.pathStyle {
            own.report(
                "'pathStyle' cannot be true: access points answer at hosts of their own alone; "
                    + "leave it out", at: "pathStyle")
        }
        guard let point = settings.accessPoint else { return }
        if let region = settings.region, region != point.region {
            own.report(
                "'region' is \(region), and the access point is of \(point.region); leave it out",
                at: "region")
        }
        settings.region = point.region
    }

    private func readName(_ settings: inout S3Settings) {
        guard settings.isAccessPoint else {
            own.report(
                "'bucketName' belongs to an access point; here 'bucket' is the bucket's own name",
                at: "bucketName")
            return
        }
        guard let text = own.filled("bucketName") else { return }
        guard case .name(let name) = BucketAddress(text.value, isAWS: true),
            !name.hasSuffix(BucketAddress.aliasEnd)
        else {
            own.context.report(
                "'bucketName' needs the own name of the bucket behind the access point; found "
                    + "'\(text.shown)'", line: text.line)
            return
        }
        settings.bucketName = name
    }

    /// Refuses what has to know which bucket it is, and what another host would have to answer;
    /// `own` is the section of the bucket.
    func check(_ settings: S3Settings) {
        if settings.inventory != nil, settings.bucketName == nil {
            own.report(
                "'inventory' names its bucket, and an access point does not tell which that is; "
                    + "write bucketName: under s3", at: "inventory")
        }
        if case .object? = settings.inventory?.manifest, settings.endpoint != nil {
            own.report(
                "'inventory' lies in another bucket, which an endpoint of access points does not "
                    + "reach; name a copy of it on this machine", at: "inventory")
        }
        guard settings.quarantineBucket != nil else { return }
        if settings.bucketName == nil {
            own.report(
                "'quarantine' in another bucket cannot be told from the bucket behind an access "
                    + "point; write bucketName: under s3, or the prefix alone", at: "quarantine")
        }
        if settings.endpoint != nil {
            own.report(
                "'quarantine' in another bucket is not reached at an endpoint of access points; "
                    + "write the prefix alone", at: "quarantine")
        }
    }
}
