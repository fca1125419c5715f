import Crypto
import MooringModel
import MooringText

/// Reads `identities`: the file that says under which identity id each user's files lie.
struct IdentitiesReader {
    /// The root of the file.
    let root: Section

    /// The largest file that is read, in bytes.
    static let sizeLimit = 256 << 20

    /// The map; nil without one, or after a problem was reported.
    func read() -> IdentityMap? {
        guard let section = root.section("identities", known: ["file"]) else { return nil }
        guard section.has("file") else {
            section.reportMissing("file", "name the CSV file of users and identities")
            return nil
        }
        guard let path = section.path("file") else { return nil }
        do throws(ConfigurationError) {
            let bytes = try Configuration.contents(
                of: path, limit: Self.sizeLimit, kind: "map of identities")
            return try Self.map(bytes, file: path)
        } catch {
            section.report("'file': \(error.description)", at: "file")
            return nil
        }
    }

    /// A map from a CSV of two columns with the header `sub,identity`; throws a refusal with the
    /// first line that is none. Neither subs nor identity ids hold what CSV would quote.
    static func map(
        _ bytes: [UInt8], file: String
    ) throws(ConfigurationError) -> IdentityMap {
        var lines = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        var pairs: [(user: [UInt8], identity: [UInt8])] = []
        var number = 0
        while !lines.isEmpty {
            let end = lines.firstIndex(of: 0x0A) ?? lines.endIndex
            var line = lines[..<end]
            lines = lines[min(end + 1, lines.endIndex)...]
            number += 1
            if line.last == 0x0D { line.removeLast() }
            if line.isEmpty { continue }
            let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            // A padded cell or a word for nothing would be an identity that nobody has.
            guard cells.count == 2, cells.allSatisfy({ !$0.isEmpty }),
                !line.contains(where: { $0 == UInt8(ascii: "\"") || $0 <= 0x20 }),
                pairs.isEmpty || cells[1].contains(UInt8(ascii: ":"))
            else {
                throw ConfigurationError(
                    file: file, line: number, "needs a sub, a comma and an identity id")
            }
            pairs.append((Array(cells[0]), Array(cells[1])))
        }
        guard let header = pairs.first, header.user == Array("sub".utf8),
            header.identity == Array("identity".utf8)
        else {
            throw ConfigurationError(file: file, line: 1, "needs the header sub,identity")
        }
        let digest = Hexadecimal.text(SHA256.hash(data: bytes))
        return IdentityMap(pairs.dropFirst(), digest: digest)
    }
}
