import Glibc
import Testing

/// Writes a text into a file, which is made or emptied first.
func writeFile(_ path: String, _ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try #require(file >= 0)
    defer { close(file) }
    let bytes = Array(text.utf8)
    try #require(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } > 0)
}
