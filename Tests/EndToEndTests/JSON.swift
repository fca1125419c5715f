import Foundation
import Testing

/// A parsed JSON value, read leniently by the tests: what is absent is nil.
struct JSON {
    let value: Any

    init(_ value: Any) { self.value = value }

    /// Parses exactly one document; anything beside it is an error.
    init(parsing text: String) throws {
        value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    subscript(_ name: String) -> JSON {
        JSON((value as? [String: Any])?[name] ?? NSNull())
    }

    subscript(_ index: Int) -> JSON {
        let list = elements
        return list.indices.contains(index) ? list[index] : JSON(NSNull())
    }

    var isNull: Bool { value is NSNull }
    var string: String? { value as? String }
    var integer: Int? { (value as? NSNumber)?.intValue }
    var bool: Bool? { (value as? NSNumber)?.boolValue }
    var elements: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
    var names: [String] { (value as? [String: Any] ?? [:]).keys.sorted() }

    /// The value with some members changed, as text.
    func text() throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }
}

extension Program.Result {
    /// The one JSON document on stdout.
    func json() throws -> JSON {
        do {
            return try JSON(parsing: output)
        } catch {
            Issue.record("stdout is not one JSON document: \(told)")
            throw error
        }
    }
}
