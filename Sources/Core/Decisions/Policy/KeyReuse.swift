package import MooringModel

/// Tells the keys of a bucket that are used once, from those to which devices may upload again.
///
/// Pure, and on the safe side: a key is never used again only where some template fits it and
/// every one that fits holds `{uuid}`; a field without a template may write to any key.
package struct KeyReuse: Sendable {
    private let fields: [FileField]
    private let resolver: KeyResolver

    /// The keys of a bucket, by all fields that may mean it.
    package init(fields: [FileField], bucket: String, resolver: KeyResolver) {
        // A field that names no bucket, or a complex one, may mean any.
        self.fields = fields.filter {
            $0.bucket == nil || $0.bucket == bucket || $0.isComplex
        }
        self.resolver = resolver
    }

    /// Whether no device uploads to this key twice.
    package func isNeverReused(_ key: ObjectKey) -> Bool {
        let readings = resolver.readings(of: key)
        var fits = false
        for field in fields {
            for reading in readings where field.level.covers(reading.level) {
                guard let template = field.template else { return false }
                guard field.covers(reading) else { continue }
                let owners = template.owners(in: reading.relative)
                if owners.identifiers.isEmpty, !owners.isCutOff { continue }
                guard template.neverReusesKeys, !owners.isCutOff else { return false }
                fits = true
            }
        }
        return fits
    }
}

extension LevelChoice {
    /// Whether a value of this choice may lie under a level; nil is the root.
    package func covers(_ level: String?) -> Bool {
        switch self {
        case .any: true
        case .root: level == nil
        case .named(let name): level == name
        }
    }
}
