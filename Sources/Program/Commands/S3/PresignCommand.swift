import ArgumentParser
import Foundation
import MooringAWS
import MooringConfiguration
import MooringModel
import MooringS3

/// `mooring presign KEY`: an address with which anybody may look at one object for a while.
struct PresignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presign",
        abstract: "Print a temporary address of an object in S3.",
        usage: "mooring presign <key> [<options>]",
        discussion: """
            Whoever has the address can read the object until it ends, without any credentials: \
            treat it like a password. It says who signed it, and stops working earlier where \
            that one's own credentials end earlier; then that time is told.

            The address alone is printed on stdout. The store is not asked, so nothing is said \
            about whether the object is there; no ledger is needed and nothing is changed.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "The object's whole key.")
    var key: String

    @Option(help: "The bucket; needed where several are in S3.")
    var bucket: String?

    @Option(help: ArgumentHelp("How long it is good for: 1s to 7d.", valueName: "duration"))
    var expires = "1h"

    @Flag(help: "The key is given in base64.")
    var base64 = false

    @OptionGroup var options: CommonOptions

    func validate() throws { _ = try duration() }

    func run() async throws {
        try await ending {
            let (key, duration) = (try objectKey(), try duration())
            let configuration = try Session(options).configuration
            let (bucket, settings) = try configuration.s3Bucket(named: bucket)
            guard !settings.isDirectory else {
                throw CommandError(
                    "bucket '\(bucket.name)' is a directory bucket, which answers sessions of five "
                        + "minutes, so that no address is good for longer; none is made")
            }
            let access = try S3Access(
                settings, named: bucket.name, file: configuration.file,
                environment: ProcessInfo.processInfo.environment)
            let request = AWSRequest(
                "GetObject", method: "GET", origin: access.place.origin,
                path: access.place.path(key),
                query: access.place.requesterPays
                    ? [.init(S3Place.payer.name, S3Place.payer.value)] : [],
                isRepeatable: true)
            let signed = try access.signer.presign(
                request, with: try await access.credentials.credentials(), expires: duration,
                at: SystemClock.now())
            if signed.isCutShort {
                StandardError.report(
                    "the credentials end before that: the address is good until "
                        + signed.endsAt.iso8601)
            }
            if Self.isNormalised(key) {
                StandardError.report(
                    "the key has '.' or '..' between slashes, which most programs take out of an "
                        + "address; open it with curl --path-as-is")
            }
            if options.json {
                StandardOutput.document(document(signed, key, bucket.name))
            } else {
                StandardOutput.line(signed.text)
            }
            return .done
        }
    }

    private func duration() throws -> Duration {
        do {
            let duration = try Quantity.duration(expires)
            guard duration >= .seconds(1), duration <= Signer.longestPresigning else {
                throw ValidationError("--expires needs 1s to 7d; found '\(expires)'")
            }
            return duration
        } catch let error as QuantityError {
            throw ValidationError("--expires \(error)")
        }
    }

    private func objectKey() throws -> ObjectKey {
        let bytes = base64 ? Base64.decode(key) : Array(key.utf8)
        guard let bytes else { throw CommandError("--base64: the key is no padded base64") }
        guard !bytes.isEmpty, bytes.count <= 1_024 else {
            throw CommandError("a key of S3 has 1 to 1,024 bytes; this one has \(bytes.count)")
        }
        return ObjectKey(bytes)
    }

    // Clients resolve these before they send anything, and then ask for another key.
    private static func isNormalised(_ key: ObjectKey) -> Bool {
        let dot = UInt8(ascii: ".")
        return key.bytes.split(separator: UInt8(ascii: "/")).contains {
            Array($0) == [dot] || Array($0) == [dot, dot]
        }
    }

    private func document(
        _ signed: PresignedURL, _ key: ObjectKey, _ bucket: String
    ) -> JSONValue {
        .members([
            "url": .string(signed.text), "bucket": .string(bucket), "key": .string(key.text),
            "keyBase64": .base64(unlessText: key.bytes),
            "expiresAt": .moment(signed.endsAt), "cutShort": .bool(signed.isCutShort),
        ])
    }
}
