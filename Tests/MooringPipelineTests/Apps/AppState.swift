import MooringModel

/// The stores of a random app as they stand at one moment.
struct AppState {
    /// An object: its bytes, and what tells one version from another.
    struct Thing: Hashable {
        let content: [UInt8]
        let stamp: String
    }

    /// A place in a bucket.
    struct Place: Hashable, CustomStringConvertible {
        let bucket: String
        let key: [UInt8]

        var description: String {
            "\(bucket) \(String(decoding: key, as: UTF8.self).debugDescription)"
        }
    }

    /// A place in the quarantine of a run.
    struct HeldPlace: Hashable {
        let place: Place
        let run: String
    }

    /// A record by source, table and identifier; two rows with one id are one record.
    struct Name: Hashable, CustomStringConvertible {
        let source: String
        let table: String
        let id: [[UInt8]]

        var description: String {
            let id = String(decoding: Array(id.joined(separator: [47])), as: UTF8.self)
            return "\(source) \(table) \(id.debugDescription)"
        }
    }

    var objects: [Place: Thing] = [:]
    var held: [HeldPlace: Thing] = [:]
    var rows: [DraftApp.Row] = []

    init() {}

    /// The state that a draft describes.
    init(_ draft: DraftApp) {
        for object in draft.objects {
            let place = Place(bucket: object.bucket, key: object.key)
            let thing = Thing(content: object.content, stamp: "")
            if object.isHeld {
                held[HeldPlace(place: place, run: "before")] = thing
            } else {
                objects[place] = thing
            }
        }
        rows = draft.rows
    }

    /// The state of a world of fakes.
    init(_ world: World, _ draft: DraftApp) throws {
        for name in ["media", "archive"] {
            let bucket = try world.bucket(name)
            for (key, stored) in bucket.objects {
                objects[Place(bucket: name, key: key.bytes)] = Thing(
                    content: stored.content, stamp: stored.version.token)
            }
            for entry in bucket.held {
                let place = Place(bucket: name, key: entry.key.bytes)
                held[HeldPlace(place: place, run: entry.run.text)] = Thing(
                    content: entry.stored.content, stamp: entry.stored.version.token)
            }
        }
        for source in draft.hasCopies ? ["app", "phone"] : ["app"] {
            for table in AppSchema.tables {
                for values in try world.source(source).records(table.name) {
                    rows.append(
                        DraftApp.Row(source: source, table: table.name, values: values))
                }
            }
        }
    }

    /// The rows by the records' names, in their order.
    var records: [Name: [[String: FieldValue]]] {
        var records: [Name: [[String: FieldValue]]] = [:]
        for row in rows { records[Self.name(of: row), default: []].append(row.values) }
        return records
    }

    static func name(of row: DraftApp.Row) -> Name {
        let columns = row.table == "Post" ? ["pk", "sk"] : ["id"]
        return Name(
            source: row.source, table: row.table,
            id: columns.map { row.values[$0]?.bytes ?? [] })
    }

    static func name(of place: RecordPlace) -> Name {
        Name(
            source: place.identity.source, table: place.identity.model,
            id: place.identity.id.parts)
    }
}

extension DraftApp {
    /// Puts the app into a world of fakes.
    func fill(_ world: World) throws {
        for object in objects {
            let bucket = try world.bucket(object.bucket)
            if object.isHeld {
                bucket.hold(
                    ObjectKey(object.key), run: RunID(startingAt: World.longAgo), object.content)
            } else {
                bucket.put(
                    ObjectKey(object.key), object.content,
                    at: object.isYoung ? World.start : World.longAgo)
            }
        }
        for row in rows { try world.source(row.source).insert(row.table, row.values) }
    }
}
