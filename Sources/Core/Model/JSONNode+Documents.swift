/// A document that is JSON but lacks what its schema asks for.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member and what is wrong with it.
    package let description: String

    /// An error with a member.
    package init(_ description: String) {
        self.description = description
    }
}

extension JSONNode {
    /// A string member that must be there.
    package func required(_ name: String) throws(DocumentError) -> String {
        guard let text = self[name]?.string else { throw DocumentError("'\(name)' is missing") }
        return text
    }

    /// A whole-number member that must be there.
    package func wholeNumber(_ name: String) throws(DocumentError) -> Int64 {
        guard let number = self[name]?.integer else {
            throw DocumentError("'\(name)' is not a whole number")
        }
        return number
    }

    /// A moment that must be there.
    package func moment(_ name: String) throws(DocumentError) -> Instant {
        guard let instant = try momentIfPresent(name) else {
            throw DocumentError("'\(name)' is missing")
        }
        return instant
    }

    /// A moment in ISO 8601; nil when the member is absent or null.
    package func momentIfPresent(_ name: String) throws(DocumentError) -> Instant? {
        guard let node = self[name] else { return nil }
        guard let text = node.string, let instant = Instant(iso8601: text) else {
            throw DocumentError("'\(name)' is not a time in ISO 8601")
        }
        return instant
    }

    /// A member whose text is one of a type's codes.
    package func coded<Code: RawRepresentable<String>>(
        _ name: String
    ) throws(DocumentError) -> Code {
        guard let code: Code = try codedIfPresent(name) else {
            throw DocumentError("'\(name)' is missing")
        }
        return code
    }

    /// A member whose text is one of a type's codes; nil when it is absent or null.
    package func codedIfPresent<Code: RawRepresentable<String>>(
        _ name: String
    ) throws(DocumentError) -> Code? {
        guard let node = self[name] else { return nil }
        guard let text = node.string, let code = Code(rawValue: text) else {
            throw DocumentError("'\(name)' has an unknown value")
        }
        return code
    }

    /// The bytes of a string member, from `nameBase64` where that stands beside it.
    package func bytes(_ name: String) throws(DocumentError) -> [UInt8]? {
        if let encoded = self[name + "Base64"]?.string {
            guard let bytes = Base64.decode(encoded) else {
                throw DocumentError("'\(name)Base64' is not base64")
            }
            return bytes
        }
        return self[name]?.stringBytes
    }
}
