import MooringDecisions
import MooringModel
import MooringPipeline
import MooringReporting

extension ValueLook.Place {
    /// The identity that a key has where the pattern leaves it open.
    private func identity(of key: ObjectKey) -> [UInt8]? {
        guard case .anyIdentity(let head, let rest) = pattern else { return nil }
        return Array(key.bytes.dropFirst(head.count).dropLast(rest.count))
    }

    /// The place in lines for the terminal.
    var lines: [String] {
        var lines = [
            "\(bucket), \(level ?? "root"): " + VisibleText.ascii(pattern.shown.bytes)
        ]
        if found.isEmpty {
            lines.append((doubt.map { HeadAnswer.unknown($0) } ?? .absent).sentence)
        }
        for object in found {
            let head = HeadAnswer.present(object.version).sentence
            lines.append(
                (identity(of: object.key).map { "under " + VisibleText.ascii($0) + ": " } ?? "")
                    + head)
        }
        if foundCount > found.count { lines.append("and \(foundCount - found.count) more") }
        for object in held {
            let under = identity(of: object.key).map { " under " + VisibleText.ascii($0) } ?? ""
            lines.append("in quarantine since run \(object.run.text)\(under)")
        }
        if isOutside { lines.append("outside the bucket's prefixes: audits do not look there") }
        if isIgnored { lines.append("ignored: audits never find anything about it") }
        for owner in owners {
            lines.append("by its template it belongs to " + FindingText.place(owner))
        }
        return lines.prefix(1) + lines.dropFirst().map { "    " + $0 }
    }

    /// The place as JSON.
    var json: JSONValue {
        .members([
            "bucket": .string(bucket), "level": .string(level ?? "root"), "as": .string(form),
            "key": .key(pattern.shown),
            "state": .string(!found.isEmpty ? "present" : doubt == nil ? "absent" : "unknown"),
            "doubt": .text(doubt),
            "objects": .array(
                found.map { object in
                    .members([
                        "key": .key(object.key), "object": object.version.json,
                        "identity": identity(of: object.key).map {
                            .string(String(decoding: $0, as: UTF8.self))
                        },
                    ])
                }),
            "objectCount": .whole(foundCount),
            "quarantined": .array(
                held.map { .members(["key": .key($0.key), "run": .string($0.run.text)]) }),
            "outsidePrefixes": .bool(isOutside), "ignored": .bool(isIgnored),
            "owners": .array(owners.map(\.json)),
        ])
    }
}

extension ValueReading {
    /// The reading as JSON.
    var json: JSONValue {
        .members([
            "as": .string(form), "value": .string(String(decoding: value, as: UTF8.self)),
            "valueBase64": .base64(unlessText: value), "bucket": .text(bucket),
            "invalid": .text(fault),
        ])
    }
}
