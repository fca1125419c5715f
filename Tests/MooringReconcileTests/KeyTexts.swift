/// Texts in which apps write keys, by name; each makes its bytes of a key.
enum KeyTexts {
    typealias Form = (name: String, make: @Sendable (String) -> [UInt8])

    private static func text(_ name: String, _ make: @escaping @Sendable (String) -> String) -> Form
    {
        (name, { Array(make($0).utf8) })
    }

    /// Everything but a letter, a digit and a few marks, percent-encoded.
    static func percent(_ key: String, keeping: String = "/-_.~") -> String {
        key.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain =
                byte < 0x80
                && (character.isLetter || character.isNumber || keeping.contains(character))
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(character) : "%" + (hex.count == 1 ? "0" : "") + hex
        }.joined()
    }

    /// HTML's named references where there are some here, else numbers.
    static func entities(_ key: String, hexadecimal: Bool? = nil) -> String {
        let names: [Unicode.Scalar: String] = [
            "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "\u{E9}": "eacute", "(": "lpar",
        ]
        return key.unicodeScalars.map { scalar -> String in
            if let hexadecimal, !scalar.properties.isAlphabetic || scalar.value > 0x7F {
                return hexadecimal
                    ? "&#x" + String(scalar.value, radix: 16) + ";" : "&#\(scalar.value);"
            }
            return names[scalar].map { "&\($0);" } ?? String(scalar)
        }.joined()
    }

    static func json(_ key: String, escapesAll: Bool = false) -> String {
        "\""
            + key.unicodeScalars.map { scalar -> String in
                if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
                if scalar == "/", escapesAll { return "\\/" }
                guard escapesAll, scalar.value > 0x7F else { return String(scalar) }
                return String(scalar).utf16.map { unit in
                    let hex = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }.joined()
            }.joined() + "\""
    }

    static func doubled(_ key: String, _ quote: Character) -> String {
        key.map { $0 == quote ? "\($0)\($0)" : String($0) }.joined()
    }

    private static func backslashed(_ key: String, _ marks: String) -> String {
        key.map { marks.contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// The texts of which 38 in 58 hid a key of Amplify's own, and more.
    static let prose: [Form] = [
        text("the key") { $0 },
        text("blanks around") { "  \($0) \n" },
        text("a column of a fixed width") { $0 + "        " },
        text("quotes") { "\"\($0)\"" },
        text("single quotes") { "'\($0)'" },
        text("backticks") { "`\($0)`" },
        text("typographic quotes") { "\u{201C}\($0)\u{201D}" },
        text("guillemets") { "\u{AB}\u{A0}\($0)\u{A0}\u{BB}" },
        text("Markdown image") { "![x](\($0))" },
        text("Markdown link") { "see [the cover](\($0)) here" },
        text("Markdown link with a title") { "[x](\($0) \"My title\")" },
        text("Markdown link in angle brackets") { "[x](<\($0)>)" },
        text("Markdown link, blanks encoded") { "![x](\(percent($0, keeping: "/-_.~:()&\"'")))" },
        text("Markdown reference") { "[1]: \($0)\n[2]: other" },
        text("Markdown autolink") { "<\($0)>" },
        text("Markdown code") { "```\n\($0)\n```" },
        text("Markdown escapes") { backslashed($0, "()_[]") },
        text("CSS url") { "background: url(\($0)) no-repeat" },
        text("CSS url in single quotes") { "background:url('\($0)')" },
        text("CSS url in quotes") { "background:url(\"\($0)\");" },
        text("CSS url, escaped") { "url(\(backslashed($0, " ()'\"")))" },
        text("HTML attribute without quotes") { "<img src=\($0)>" },
        text("HTML attribute") { "<p><img src=\"\($0)\" alt=x></p>" },
        text("HTML attribute in single quotes") { "<img src='\($0)'/>" },
        text("HTML attribute, named references") { "<img src=\"\(entities($0))\">" },
        text("HTML attribute, decimal") { "<img src=\"\(entities($0, hexadecimal: false))\">" },
        text("HTML attribute, hexadecimal") { "<img src=\"\(entities($0, hexadecimal: true))\">" },
        text("HTML attribute, percent in references") {
            "<a href='/f?k=\(percent($0))&amp;w=1'>x</a>"
        },
        text("HTML srcset") { "<img srcset=\"\($0) 1x, other.jpg 2x\">" },
        text("XML") { "<key>\(entities($0))</key>" },
        text("XML property list") { "<dict><key>f</key><string>\(entities($0))</string></dict>" },
        text("a list divided by a comma") { "\($0),\($0)x" },
        text("a list divided by comma and blank") { "other.png, \($0), more.png" },
        text("a list divided by a semicolon") { "other.png;\($0);more.png" },
        text("a list divided by a bar") { "a|\($0)|b" },
        text("a list divided by lines") { "other.png\r\n\($0)\r\nmore.png" },
        text("a list divided by tabs") { "other.png\t\($0)\tmore.png" },
        text("square brackets") { "[\($0)]" },
        text("round brackets") { "(\($0))" },
        text("curly brackets") { "{\($0)}" },
        text("an assignment") { "src=\($0)" },
        text("a label") { "file:\($0)" },
        text("a sentence") { "I uploaded \($0) yesterday." },
        text("the end of a sentence") { "Please look at \($0)." },
        text("a question") { "Did you see \($0)?" },
        text("JSON string") { json($0) },
        text("JSON member") { "{\"a\": [{\"b\": \(json($0))}]}" },
        text("JSON with every escape") { "{\"a\":\(json($0, escapesAll: true))}" },
        text("JSON in JSON") { "{\"a\":\(json("{\"b\":\(json($0, escapesAll: true))}"))}" },
        text("JSON in JSON in JSON") { "[\(json("[\(json("[\(json($0))]"))]"))]" },
        text("JSON that is cut") { "{\"a\":\(json($0, escapesAll: true)),\"b" },
        text("a name of JSON") { "{\(json($0)): 1}" },
        text("CSV") { "1,\"\(doubled($0, "\""))\",2" },
        text("CSV in JSON") { "{\"a\":\(json("1,\"\(doubled($0, "\""))\",2"))}" },
        text("SQL") { "UPDATE t SET k = '\(doubled($0, "'"))' WHERE id = 1" },
        text("PostgreSQL array") { "{NULL,\"\(backslashed($0, "\"\\"))\",x}" },
        text("PostgreSQL composite") { "(1,\"\(doubled($0, "\""))\",t)" },
        text("PostgreSQL composite in an array") {
            "{\"(1,\\\"\(backslashed(doubled($0, "\""), "\"\\"))\\\",t)\"}"
        },
        text("percent-encoded") { percent($0) },
        text("percent-encoded with its slashes") { percent($0, keeping: "") },
        text("percent-encoded twice") { percent(percent($0)) },
        text("a form field") {
            "k=" + percent($0).replacing("%20", with: "+") + "&w=100"
        },
        text("YAML") { "cover: \($0)\nother: x" },
        text("a shell command") { "cp \(backslashed($0, " ()&'\"\\")) /tmp" },
        text("an e-mail") { "Content-Disposition: attachment; filename=\"\($0)\"" },
        text("CJK text around") { "\u{89C1}\($0)\u{3002}" },
        text("zero-width characters around") { "\u{200B}\($0)\u{FEFF}" },
        text("a letter before and behind") { "x\($0)y" },
        (
            "a binary property list",
            { key in
                Array("bplist00".utf8) + [0xD1, 0x01, 0x02, 0x53] + Array("key".utf8)
                    + [0x5F, 0x10, UInt8(truncatingIfNeeded: key.utf8.count)] + Array(key.utf8)
                    + [0x33, 0x41, 0xC3, 0x08, 0x0B, 0x0F]
            }
        ),
        (
            "a protocol buffer",
            { key in
                [0x08, 0x96, 0x01, 0x12, UInt8(truncatingIfNeeded: key.utf8.count)]
                    + Array(key.utf8)
                    + [0x32, 0x02, 0x68, 0x69]
            }
        ),
        (
            "MessagePack",
            { key in
                [0x81, 0xA1, 0x6B, 0xD9, UInt8(truncatingIfNeeded: key.utf8.count)]
                    + Array(key.utf8)
            }
        ),
        ("bytes that are no UTF-8", { [0xFF, 0xFE, 0xC0] + Array($0.utf8) + [0x80, 0xFF] }),
    ]

    /// Texts in which a key stands behind a slash; 31 of 31 hid it.
    static let slashed: [Form] =
        [
            "BUCKET/", "/BUCKET/", "files/", "/files/", "./", "/", "//", "uploads/2026/", "~/",
            "s3://BUCKET/", "s3a://BUCKET/", "gs://BUCKET/", "file:///srv/files/",
            "arn:aws:s3:::BUCKET/",
            "https://host/", "https://host/BUCKET/", "https://BUCKET.s3.amazonaws.com/",
            "https://s3.eu-west-1.amazonaws.com/BUCKET/", "//cdn.host/",
            "https://host:9000/BUCKET/",
            "https://user@host/", "cdn/v1/image/upload/w_100,h_100/", "BUCKET:eu-west-1/",
            "C:/files/",
            "/srv/app/files/", "public/../", "api/files/get/", "BUCKET/./", "x/y/z/", "@/",
            "$ROOT/",
        ].map { head in
            text("\(head)KEY") { head + $0 }
        } + [
            text("https://host/bucket/KEY?X-Amz…") {
                "https://host/bucket/\(percent($0))?X-Amz-Date=1&X-Amz-Signature=a%2Fb"
            },
            text("https://host/KEY#top") { "https://host/\(percent($0))#top" },
            text("https://host/o/KEY?alt=media") {
                "https://host/o/\(percent($0, keeping: "-_.~"))?alt=media"
            },
            text("KEY?v=2") { "\($0)?v=2" },
            text("key,x1") { "\($0),x1" },
        ]
}
