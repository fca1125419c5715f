import ArgumentParser
import MooringConfiguration
import MooringModel

/// `mooring inventory --sql BUCKET`: the SQL that makes a listing of a bucket's inventory table.
struct InventoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inventory",
        abstract: "Print the SQL by which Athena lists a bucket from S3 Metadata.",
        usage: "mooring inventory --sql <bucket> [<options>]",
        discussion: """
            Prints two statements for Amazon Athena over the live inventory table that S3 \
            Metadata keeps of a bucket. The first tells how many objects there are, and as of when \
            the listing may be taken; the second lists them. Its result in CSV is what \
            'listing:' of a bucket reads, with 'taken:' as the first one tells. The bucket's \
            prefixes in the configuration hold. Nothing is asked and nothing is changed.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "The bucket, as the configuration names it.")
    var bucket: String

    @Flag(name: .customLong("sql"), help: "Print the statements.")
    var prints = false

    @Option(
        help: ArgumentHelp(
            "The bucket's own name; what the configuration says by default.", valueName: "name"))
    var of: String?

    @Option(
        help: ArgumentHelp(
            "The namespace of its metadata tables; b_ and its own name by default.",
            valueName: "name"))
    var namespace: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard prints else {
            throw ValidationError(
                "mooring inventory prints the SQL with --sql; its result is read by 'listing:'")
        }
    }

    func run() async throws {
        try await ending {
            let configuration = try Session(options).configuration
            guard let own = configuration.buckets.first(where: { $0.name == bucket }) else {
                throw CommandError("no bucket is named '\(bucket)' in the configuration")
            }
            let sql = try MetadataSQL(
                bucket: try name(own), namespace: namespace, prefixes: own.mapping.prefixes)
            if options.json {
                StandardOutput.document(
                    .members(["moment": .string(sql.moment), "listing": .string(sql.listing)]))
                return .done
            }
            StandardOutput.line("-- First: how many objects, and 'taken:' of the listing.")
            StandardOutput.line(sql.moment + ";")
            StandardOutput.line("")
            StandardOutput.line("-- Then: the listing.")
            StandardOutput.line(sql.listing + ";")
            return .done
        }
    }

    private func name(_ own: BucketConfiguration) throws -> String {
        if let of { return of }
        switch own.store {
        case .s3(let settings):
            guard settings.isAWS else {
                throw CommandError(
                    "bucket '\(own.name)' has an endpoint of its own; S3 Metadata is of AWS alone")
            }
            guard !settings.isDirectory else {
                throw CommandError(
                    "bucket '\(own.name)' is a directory bucket; S3 Metadata is of others alone")
            }
            guard !settings.isAccessPoint || settings.bucketName != nil else {
                throw CommandError(
                    "bucket '\(own.name)' is reached by an access point: say the name of the "
                        + "bucket behind it with --of")
            }
            return settings.storeName
        case .listing: return own.name
        default:
            throw CommandError(
                "bucket '\(own.name)' is of kind \(own.store.kind); name one of s3 or of listing, "
                    + "or say the bucket's own name with --of")
        }
    }
}
