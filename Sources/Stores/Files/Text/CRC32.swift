import CZlib

/// The checksum of gzip, PNG and DynamoDB's answers.
package enum CRC32 {
    /// The checksum of bytes.
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
