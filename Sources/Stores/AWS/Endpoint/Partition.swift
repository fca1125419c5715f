/// A part of AWS with accounts, regions and host names of its own.
///
/// Source: the partitions that the AWS SDKs are made from (`partitions.json`).
package struct Partition: Hashable, Sendable {
    /// Its name in the names of resources: `aws-cn`.
    package let id: String
    /// What the names of its hosts end in: `amazonaws.com.cn`.
    package let suffix: String
    /// The same of hosts that IPv6 reaches too, for the services that have others then.
    package let dualStackSuffix: String
    private let heads: [String]

    private init(_ id: String, _ suffix: String, _ dualStackSuffix: String, _ heads: [String]) {
        self.id = id
        self.suffix = suffix
        self.dualStackSuffix = dualStackSuffix
        self.heads = heads
    }

    /// The first, which has every region that no other one has.
    private static let standard = Partition("aws", "amazonaws.com", "api.aws", [])
    /// All of them.
    package static let all = [
        Partition("aws-us-gov", "amazonaws.com", "api.aws", ["us-gov-"]),
        Partition("aws-cn", "amazonaws.com.cn", "api.amazonwebservices.com.cn", ["cn-"]),
        Partition("aws-eusc", "amazonaws.eu", "api.amazonwebservices.eu", ["eusc-"]),
        Partition("aws-iso", "c2s.ic.gov", "api.aws.ic.gov", ["us-iso-"]),
        Partition("aws-iso-b", "sc2s.sgov.gov", "api.aws.scloud", ["us-isob-"]),
        Partition("aws-iso-e", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk", ["eu-isoe-"]),
        Partition("aws-iso-f", "csp.hci.ic.gov", "api.aws.hci.ic.gov", ["us-isof-"]),
        standard,
    ]

    /// The partition of a region.
    package static func of(region: String) -> Partition {
        all.first { $0.heads.contains { region.hasPrefix($0) } } ?? standard
    }
}
