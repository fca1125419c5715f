import Foundation
import MooringFiles
import MooringModel
import Testing

/// Reads the blocks of data in a page as its script does, with a reader of gzip that is not the
/// writer's.
enum PageReader {
    /// One block: its attributes as they stand, and its content.
    struct Block: Equatable {
        let name: String
        let kind: String
        let rows: Int
        let content: [UInt8]
    }

    /// What a row of columns holds.
    struct Row: Equatable {
        let texts: [String]
        let bytes: Double
        let time: Double
        let codes: [UInt8]
    }

    private static let opening = "<script type=\"application/gzip\" class=\""

    /// The blocks of a page, in its order.
    static func blocks(_ page: String) throws -> [Block] {
        try page.components(separatedBy: opening).dropFirst().map { part in
            let quoted = part.prefix { $0 != ">" }.split(separator: "\"").map(String.init)
            let text = part.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
            return Block(
                name: quoted[0], kind: quoted[2], rows: try #require(Int(quoted[4])),
                content: try inflated(try #require(Base64.decode(String(text)))))
        }
    }

    /// The page with the content of its blocks in their place.
    static func unpacked(_ page: [UInt8]) throws -> [[UInt8]] {
        let text = String(decoding: page, as: UTF8.self)
        let prose = text.components(separatedBy: opening).enumerated().map { index, part in
            index == 0 ? part[...] : part.drop { $0 != "<" }
        }
        return try prose.map { Array($0.utf8) } + blocks(text).map(\.content)
    }

    /// The rows of all columns.
    static func rows(_ page: String) throws -> [Row] {
        try blocks(page).filter { $0.name == "columns" }.flatMap { block -> [Row] in
            let (content, count) = (block.content, block.rows)
            func word(_ place: Int) -> UInt64 {
                content[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            try #require(word(0) == UInt64(count))
            let codes = 8 + 16 * count
            let lines = content[(codes + 5 * count)...].split(
                separator: 0x0A, omittingEmptySubsequences: false)
            try #require(lines.count == count + 1 && lines[count].isEmpty)
            return (0..<count).map { row in
                Row(
                    texts: lines[row].split(separator: 0x09, omittingEmptySubsequences: false)
                        .map { String(decoding: $0, as: UTF8.self) },
                    bytes: Double(bitPattern: word(8 + 8 * row)),
                    time: Double(bitPattern: word(8 + 8 * (count + row))),
                    codes: (0..<5).map { content[codes + $0 * count + row] })
            }
        }
    }

    /// The whole findings, a line each.
    static func details(_ page: String) throws -> [JSONNode] {
        try blocks(page).filter { $0.name == "details" }.flatMap { block in
            let lines = block.content.split(separator: 0x0A)
            try #require(lines.count == block.rows)
            return try lines.map { try JSONNode(parsing: Array($0)) }
        }
    }

    /// What the script needs beside the blocks.
    static func meta(_ page: String) throws -> JSONNode {
        let part = page.components(separatedBy: "<script type=\"application/json\" id=\"meta\">")
        return try JSONNode(parsing: Array(try #require(part.last).prefix { $0 != "<" }.utf8))
    }

    private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        let inflater = try GzipInflater()
        var (input, output) = (bytes, [UInt8]())
        var room = [UInt8](repeating: 0, count: 1 << 16)
        try input.withUnsafeMutableBufferPointer { source in
            try room.withUnsafeMutableBufferPointer { target in
                try inflater.inflate(source, room: target, into: &output)
            }
        }
        try #require(inflater.mayEnd)
        return output
    }
}
