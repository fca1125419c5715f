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

    // A policy that names an access point alone allows nothing yet.
    private func tell(_ name: String, _ settings: S3Settings) throws {
        guard !settings.isAlias else {
            throw CommandError(
                "bucket '\(name)' is named by an alias of an access point, which no policy takes; "
                    + "write the access point's name in full (arn:…) under s3: bucket")
        }
        guard settings.accessPoint != nil else { return }
        StandardError.report(
            "bucket '\(name)' is reached by an access point: its own policy, where it has one, and "
                + "the bucket's have to let this through too (s3:DataAccessPointArn)"
                + (settings.bucketName == nil
                    ? "; with bucketName: under s3 the bucket behind it is named as well" : ""))
    }

    func run() async throws {
        try await ending {
            let configuration = try Session(options).configuration
            var buckets = configuration.s3Buckets
            let tables = bucket == nil ? configuration.dynamodbSources : []
            if bucket != nil || (buckets.isEmpty && tables.isEmpty) {
                buckets = [try configuration.s3Bucket(named: bucket)]
            }
            for (bucket, settings) in buckets { try tell(bucket.name, settings) }
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
