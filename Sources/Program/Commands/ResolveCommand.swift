import ArgumentParser
import Foundation
import MooringConfiguration
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring resolve VALUE`: every object that a stored value may mean.
struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Tell every object that a stored value may mean, and whether it is there.",
        usage: "mooring resolve <value> [<options>]",
        discussion: """
            VALUE is what a record holds: a key, a list, an S3Object in JSON, or a URL; with - it \
            is read from stdin, byte for byte. Without --model and --field it is looked up under \
            every level and in every bucket. An identity that is not given stays open, and those \
            are listed under which the object lies. Reads the buckets as they are now, needs no \
            ledger and changes nothing.

            The status is 0 whether or not there is such an object.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "What a record holds; - reads it from stdin.")
    var value: String

    @Option(help: "Read it as a field of this model holds it.")
    var model: String?

    @Option(help: "Read it as this field holds it.")
    var field: String?

    @Option(help: "The identity under which the record's files lie.")
    var identity: String?

    @Option(help: "Look into this bucket only.")
    var bucket: String?

    @Flag(help: "The value is given in base64.")
    var base64 = false

    @OptionGroup var options: CommonOptions

    private static let inputLimit = 1 << 20

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let signals = Signals(session.interruption)
            defer { withExtendedLifetime(signals) {} }
            let bytes = try input()
            let configuration = session.configuration
            let lookup = ValueLook(
                configuration: configuration, buckets: try Assembly.buckets(configuration),
                interruption: session.interruption)
            let only = try bucket.map { name in
                guard let known = lookup.bucketName(name) else {
                    throw CommandError(
                        "no bucket is named '\(name)'; the configuration has "
                            + configuration.buckets.map(\.name).joined(separator: ", "))
                }
                return known
            }
            let mappings = configuration.buckets.map(\.mapping)
            var readings: [ValueReading] = []
            for field in try fields(configuration) {
                readings += ValueReading.all(of: bytes, in: field, buckets: mappings)
                    .filter { !readings.contains($0) }
            }
            let places = try await lookup.places(
                of: readings, identity: identity.map { Array($0.utf8) }, only: only)
            if options.json {
                StandardOutput.document(document(bytes, readings, places))
            } else {
                show(readings, places, lookup)
            }
            return .done
        }
    }

    // One nil where no field is named: then the value is read in every way.
    private func fields(_ configuration: Configuration) throws -> [FileField?] {
        guard model != nil || field != nil else { return [nil] }
        let models = configuration.records.flatMap(\.mapping.models)
        let found = models.filter { model == nil || $0.model == model }.flatMap(\.files)
            .filter { field == nil || $0.field == field }
        guard found.isEmpty else { return found }
        let known = models.flatMap { model in model.files.map { "\(model.model).\($0.field)" } }
        throw CommandError(
            "no file field is named '\(model ?? "*").\(field ?? "*")'; the configuration has "
                + known.joined(separator: ", "))
    }

    private func input() throws -> [UInt8] {
        var bytes = Array(value.utf8)
        if value == "-" {
            let data = try FileHandle.standardInput.read(upToCount: Self.inputLimit + 1) ?? Data()
            guard data.count <= Self.inputLimit else {
                throw CommandError("stdin holds more than \(Self.inputLimit) bytes, and no value")
            }
            bytes = Array(data)
        }
        guard base64 else { return bytes }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard let decoded = Base64.decode(text) else {
            throw CommandError("--base64: the value is no padded base64")
        }
        return decoded
    }

    private func show(
        _ readings: [ValueReading], _ places: [ValueLook.Place], _ lookup: ValueLook
    ) {
        for reading in readings {
            let bucket = reading.bucket.map { " in bucket " + VisibleText.ascii($0) } ?? ""
            StandardOutput.line(
                "as \(reading.form): " + VisibleText.ascii(reading.value) + bucket)
            if let fault = reading.fault { StandardOutput.line("    no usable key: \(fault)") }
            if let name = reading.bucket, lookup.bucketName(name) == nil {
                StandardOutput.line("    no such bucket is configured")
            }
        }
        for place in places { for line in place.lines { StandardOutput.line(line) } }
    }

    private func document(
        _ bytes: [UInt8], _ readings: [ValueReading], _ places: [ValueLook.Place]
    ) -> JSONValue {
        .members([
            "value": .string(String(decoding: bytes, as: UTF8.self)),
            "valueBase64": .base64(unlessText: bytes),
            "readings": .array(readings.map(\.json)), "places": .array(places.map(\.json)),
        ])
    }
}
