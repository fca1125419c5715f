package import MooringConfiguration
package import MooringDecisions
import MooringModel

extension Configuration {
    /// Turns values into keys and back.
    package var resolver: KeyResolver { KeyResolver(levels: levels, fields: fileFields) }

    private var fileFields: [FileField] { records.flatMap(\.mapping.models).flatMap(\.files) }

    /// Tells the keys of a bucket that are used once; its adapter asks it where the store can spare
    /// no upload.
    package func keyReuse(of bucket: String) -> KeyReuse {
        KeyReuse(fields: fileFields, bucket: bucket, resolver: resolver)
    }
}
