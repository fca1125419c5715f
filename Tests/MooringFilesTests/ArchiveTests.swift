import Foundation
import Glibc
import MooringModel
import SeededNumbers
import Testing

@testable import MooringFiles

@Suite("Archives")
struct ArchiveTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var path: String { sandbox.path + "/a.tar.gz" }

    private func write(_ members: [(name: String, content: [UInt8])], to path: String) throws {
        let writer = try TarWriter(path: path, time: 1_700_000_000)
        for member in members {
            try writer.begin(member.name, size: Int64(member.content.count))
            for piece in member.content.split(every: 5_000) { try writer.append(piece) }
        }
        try writer.finish()
    }

    private func read(_ path: String) throws -> [(name: String, content: [UInt8])] {
        let reader = try TarReader(path: path)
        var members: [(name: String, content: [UInt8])] = []
        while let header = try reader.next() {
            var content: [UInt8] = []
            while case let piece = try reader.read(), !piece.isEmpty { content += piece }
            members.append((header.name, content))
        }
        return members
    }

    private func reason(_ bytes: [UInt8], _ name: String = "hostile.tar") throws -> String? {
        try sandbox.write(Array(name.utf8), bytes)
        do {
            _ = try read(sandbox.path + "/" + name)
            return nil
        } catch let failure as ReadFailure {
            return failure.reason
        }
    }

    /// An archive as bytes, not deflated: each member as its header says, and content.
    private func tar(_ members: [(TarHeader, [UInt8])], end: Int = 1_024) -> [UInt8] {
        members.flatMap { header, content in
            header.bytes + content + zeros(TarHeader.padding(of: Int64(content.count)))
        } + zeros(end)
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func sealed(_ block: [UInt8]) -> [UInt8] {
        var block = block
        for index in 148..<156 { block[index] = 0x20 }
        let sum = block.reduce(0) { $0 + Int($1) }
        let digits = Array(String(sum, radix: 8).utf8)
        block.replaceSubrange(
            148..<156,
            with: [UInt8](repeating: 0x30, count: 6 - digits.count) + digits + [0, 0x20])
        return block
    }

    @Test("What is written comes back, whatever the sizes; the same members give the same bytes")
    func roundTrip() throws {
        var numbers = SeededGenerator("archive")
        let sizes =
            [0, 1, 511, 512, 513, 65_536, 262_145]
            + (0..<6).map { _ in
                Int.random(in: 0...200_000, using: &numbers)
            }
        let members = sizes.enumerated().map { number, size in
            let isPlain = Bool.random(using: &numbers)
            let content = (0..<size).map { _ in
                isPlain ? UInt8(ascii: "a") : UInt8.random(in: 0...255, using: &numbers)
            }
            return (name: "folder/member-\(number).jsonl", content: content)
        }
        try write(members, to: path)
        let found = try read(path)
        #expect(found.map(\.name) == members.map(\.name))
        #expect(found.map(\.content) == members.map(\.content))
        try write(members, to: sandbox.path + "/b.tar.gz")
        #expect(sandbox.content(Array("a.tar.gz".utf8)) == sandbox.content(Array("b.tar.gz".utf8)))
    }

    @Test("A file replaces nothing, is its owner's alone, and leaves nothing when it is given up")
    func newFile() throws {
        try write([("a", [1])], to: path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(throws: WriteFailure.self) { try write([("a", [2])], to: path) }
        #expect(try read(path).map(\.content) == [[1]])
        try sandbox.makeFolder("empty")
        var given: TarWriter? = try TarWriter(path: sandbox.path + "/empty/x", time: 0)
        try given?.begin("a", size: 2)
        #expect(throws: WriteFailure.self) { try given?.finish() }
        given = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/empty") == [])
        // Somebody takes the name meanwhile.
        let late = try TarWriter(path: sandbox.path + "/empty/y", time: 0)
        _ = try sandbox.write("empty/y", "theirs")
        #expect(throws: WriteFailure.self) { try late.finish() }
        #expect(sandbox.content("empty/y") == "theirs")
        #expect(throws: WriteFailure.self) { try NewFile(path: sandbox.path + "/no/such/folder") }
        #expect(throws: WriteFailure.self) { try NewFile(path: sandbox.path + "/empty/") }
    }

    @Test("A size beyond eight gibibytes has the form that other readers take")
    func largeSize() throws {
        for size: Int64 in [0, 1, (1 << 33) - 1, 1 << 33, 1 << 50] {
            let header = TarHeader(name: "n", size: size, time: 5)
            #expect(try TarHeader(parsing: header.bytes) == header)
        }
    }

    @Test("A time that no header can hold is told as the nearest that it can")
    func otherTime() throws {
        let last = (Int64(1) << 33) - 1
        let times: [(Int64, Int64)] = [
            (-1, 0), (.min, 0), (last, last), (last + 1, last), (.max, last),
        ]
        for (time, told) in times {
            let header = TarHeader(name: "n", size: 1, time: time)
            #expect(try TarHeader(parsing: header.bytes)?.time == told)
        }
    }

    @Test("An archive that was cut anywhere is refused")
    func truncated() throws {
        try write([("a", Array("hello".utf8)), ("b", zeros(70_000))], to: path)
        let whole = try #require(sandbox.content(Array("a.tar.gz".utf8)))
        for length in 0..<whole.count {
            #expect(try reason(Array(whole[..<length])) != nil, "\(length)")
        }
        let plain = tar([(TarHeader(name: "a", size: 5, time: 0), Array("hello".utf8))])
        #expect(try reason(plain) == nil)
        #expect(try reason(Array(plain[..<700])) == "a is cut off, or other bytes follow it")
        #expect(try reason(Array(plain[..<514])) == "a is cut off")
        #expect(try reason(Array(plain[..<1_024])) == "the archive is cut off after a")
        #expect(try reason(Array(plain[..<1_536])) == "the archive's end is damaged")
    }

    @Test("Any flipped byte of a header, links, folders and other names are refused")
    func hostile() throws {
        let header = TarHeader(name: "a", size: 5, time: 0)
        let whole = tar([(header, Array("hello".utf8))])
        for place in 0..<512 {
            var damaged = whole
            damaged[place] ^= 0x41
            let told = try reason(damaged)
            #expect(
                told == "a header's checksum is wrong: no tar archive, or damaged"
                    || (148..<156).contains(place) && told != nil, "\(place)")
            // The second byte makes another name, and the sum is made anew here.
            guard place != 1, !(148..<156).contains(place) else { continue }
            let resealed = sealed(Array(damaged[..<512])) + Array(damaged[512...])
            #expect(try reason(resealed) != nil, "\(place)")
        }
        for kind in "1234567xgLK".utf8 {
            var block = header.bytes
            block[156] = kind
            let told = try reason(sealed(block) + Array(whole[512...]))
            #expect(told == "a is no regular file", "\(kind)")
        }
        var prefixed = header.bytes
        prefixed[345] = UInt8(ascii: "x")
        #expect(try reason(sealed(prefixed)) == "a has a header of another form")
        var named = header.bytes
        named[0] = 0x1B
        #expect(try reason(sealed(named)) == "a member's name is no plain text")
        var endless = header.bytes
        endless.replaceSubrange(124..<136, with: [UInt8](repeating: 0xFF, count: 12))
        #expect(try reason(sealed(endless)) == "a has no size or time")
        #expect(try reason(whole + [1]) == "other bytes follow the archive's end")
        #expect(
            try reason(whole + zeros(9_728)) == "other bytes follow the archive's end")
        var filled = whole
        filled[520] = 1
        #expect(try reason(filled) == "a is cut off, or other bytes follow it")
        #expect(try reason(Array("no archive".utf8)) != nil)
        #expect(try reason([]) != nil)
    }

    @Test("Deflated bytes that stand for a thousand times as many take little memory")
    func bomb() throws {
        let size = 400 << 20
        let writer = try TarWriter(path: path, time: 0)
        try writer.begin("zeros", size: Int64(size))
        for _ in 0..<(size >> 20) { try writer.append(zeros(1 << 20)) }
        try writer.finish()
        let reader = try TarReader(path: path)
        let before = Self.peak
        #expect(try reader.next()?.size == Int64(size))
        var count = 0
        while case let piece = try reader.read(), !piece.isEmpty { count += piece.count }
        #expect(count == size)
        // Other tests of this process take memory meanwhile, but not so much.
        #expect(Self.peak - before < size >> 11, "KiB: \(Self.peak - before)")
    }

    // In KiB, as Linux counts.
    private static var peak: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

extension [UInt8] {
    fileprivate func split(every count: Int) -> [[UInt8]] {
        stride(from: 0, to: self.count, by: count).map {
            Array(self[$0..<Swift.min($0 + count, self.count)])
        }
    }
}
