import ArgumentParser
import MooringConfiguration
import MooringModel

extension IAMPolicy.Purpose: ExpressibleByArgument {}

/// `mooring iam-policy`: the least policy for the configured buckets of S3.
struct IAMPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "iam-policy",
        abstract: "Print the least IAM policy for audit, or for repair.",
        usage: "mooring iam-policy --for <purpose> [<options>]",
        discussion: """
            The policy names the configured buckets of S3 and their prefixes, and the tables of \
            DynamoDB by their prefix and suffix. With --for repair \
            it allows what the configured strategies change, and the lease and the trial objects \
            that every command that acts needs. Where objects are encrypted with keys of KMS, add \
            kms:Decrypt, and for repair kms:GenerateDataKey.

            The document is printed on stdout, with or without --json. No store is asked, no \
            ledger is needed and nothing is changed.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("What it has to allow.", valueName: "purpose"))
    var purpose: IAMPolicy.Purpose

    @Option(help: "For this bucket only.")
    var bucket: String?

    @OptionGroup var options: CommonOptions

    // What IAM takes as a managed policy; blanks do not count.
    private static let sizeLimit = 6_144

    func run() async throws {
        try await ending {
            let configuration = try Session(options).configuration
            var buckets = configuration.s3Buckets
            let tables = bucket == nil ? configuration.dynamodbSources : []
            if bucket != nil || (buckets.isEmpty && tables.isEmpty) {
                buckets = [try configuration.s3Bucket(named: bucket)]
            }
            var policy = IAMPolicy(buckets, for: purpose, configuration.repair)
            policy.add(tables, for: purpose, configuration.repair)
            StandardOutput.document(policy.json)
            let size = policy.json.rendered.count
            if size > Self.sizeLimit {
                StandardError.report(
                    "the policy has \(size) characters, and IAM takes \(Self.sizeLimit) in one; "
                        + "make one of each bucket with --bucket, or name fewer prefixes")
            }
            return .done
        }
    }
}
