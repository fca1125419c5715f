import MooringFiles

/// Makes tiny PNG images that a viewer opens, without any library.
enum DemoImage {
    /// A square image of coloured stripes: 60 to 300 bytes for sides of 4 to 12 pixels.
    static func png(side: Int, colours: [UInt32]) -> [UInt8] {
        var rows: [UInt8] = []
        for line in 0..<side {
            // Each line begins with its filter, none; each pixel is a place in the palette.
            rows.append(0)
            rows += (0..<side).map { UInt8(($0 + line) % colours.count) }
        }
        let palette = colours.flatMap { Array(bigEndian($0).dropFirst()) }
        let header =
            bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [8, 3, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("PLTE", palette) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    // The zlib form of bytes that are not compressed: one final stored block.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let low = UInt8(count & 0xFF)
        let high = UInt8(count >> 8)
        return [0x78, 0x01, 0x01, low, high, ~low, ~high] + bytes + bigEndian(adler32(bytes))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(CRC32.of(body))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (one, two) = (UInt32(1), UInt32(0))
        for byte in bytes {
            one = (one + UInt32(byte)) % 65_521
            two = (two + one) % 65_521
        }
        return two << 16 | one
    }
}
