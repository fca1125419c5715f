import MooringFiles
import MooringModel
import MooringText
import Testing

@testable import MooringDynamoDB

@Suite("Typed values")
struct AttributeTests {
    private func read(_ text: String) -> FieldValue? { AttributeReader.value(of: Array(text.utf8)) }
    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("Each type becomes the field that tells it")
    func types() {
        #expect(read(#"{"S":"a\u00e9\n\/"}"#) == .text(text("a\u{E9}\n/")))
        #expect(read(#" { "S" : "" } "#) == .text([]))
        #expect(read(#"{"N":"-12"}"#) == .integer(-12))
        #expect(read(#"{"B":"AAH/"}"#) == .blob([0, 1, 255]))
        #expect(read(#"{"NULL":true}"#) == .null)
        #expect(read(#"{"BOOL":false}"#) == .attribute(text(#"{"BOOL":false}"#)))
        #expect(read(#"{"SS":["b","a"]}"#) == .attribute(text(#"{"SS":["a","b"]}"#)))
        #expect(read(#"{"NS":["2","10"]}"#) == .attribute(text(#"{"NS":["10","2"]}"#)))
        #expect(read(#"{"BS":["/w==","AA=="]}"#) == .attribute(text(#"{"BS":["/w==","AA=="]}"#)))
    }

    @Test("A number stays what it is unless it is a plain 64-bit integer")
    func numbers() {
        for (digits, value) in [
            ("0", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ] {
            #expect(read(#"{"N":"\#(digits)"}"#) == .integer(value))
        }
        for digits in ["1.0", "1E3", "9223372036854775808", "-9223372036854775809", "-0", "0.5"] {
            let typed = #"{"N":"\#(digits)"}"#
            #expect(read(typed) == .attribute(text(typed)))
        }
        for digits in ["", "01", "+1", "1.", ".5", "NaN", "1e", "--1", "0x1"] {
            #expect(read(#"{"N":"\#(digits)"}"#) == nil, "\(digits)")
        }
    }

    @Test("A list or map without sets and bytes is plain JSON, its names sorted")
    func plain() {
        let nested =
            #"{"M":{"b":{"L":[{"S":"x"},{"NULL":true},{"N":"1E2"},{"BOOL":true}]},"a":{"M":{}}}}"#
        #expect(read(nested) == .json(text(#"{"a":{},"b":["x",null,1E2,true]}"#)))
        #expect(read(#"{"L":[]}"#) == .json(text("[]")))
        #expect(read(#"{"L":[{"S":"\u007f\\"}]}"#) == .json(text(#"["\u007f\\"]"#)))
    }

    @Test("A list or map that holds a set or bytes keeps its types")
    func typed() {
        let list = #"{"L":[{"S":"x"},{"SS":["b","a"]}]}"#
        #expect(read(list) == .attribute(text(#"{"L":[{"S":"x"},{"SS":["a","b"]}]}"#)))
        let map = #"{"M":{"z":{"B":"AA=="},"a":{"N":"1"}}}"#
        #expect(read(map) == .attribute(text(#"{"M":{"a":{"N":"1"},"z":{"B":"AA=="}}}"#)))
    }

    @Test("What is written is read back as it was")
    func roundTrip() throws {
        for typed in [
            #"{"S":"a\"\\\u0001é"}"#, #"{"N":"7"}"#, #"{"N":"7.50"}"#, #"{"B":"AAH/"}"#,
            #"{"BOOL":true}"#, #"{"NULL":true}"#, #"{"SS":["a","b"]}"#,
            #"{"L":[{"S":"x"},{"M":{"k":{"N":"1"},"l":{"BS":["AA=="]}}}]}"#,
            #"{"M":{"a":{"L":[{"N":"12345678901234567890"},{"NULL":true}]}}}"#,
        ] {
            let value = try #require(read(typed))
            let written = try #require(try AttributeWriter.typed(value))
            #expect(AttributeReader.value(of: written) == value)
            #expect(AttributeWriter.canonical(value) == value)
        }
        #expect(throws: ItemFault.self) { try AttributeWriter.typed(.text([0xFF])) }
        #expect(throws: ItemFault.self) { try AttributeWriter.typed(.real(1)) }
        #expect(throws: ItemFault.self) { try AttributeWriter.typed(.json(text("{"))) }
        #expect(throws: ItemFault.self) { try AttributeWriter.typed(.attribute(text("[1]"))) }
    }

    @Test("Text that is no typed value is a fault, wherever it ends")
    func damaged() {
        let whole = #"{"M":{"a":{"L":[{"S":"x\n"},{"NS":["1"]}]},"b":{"B":"AA=="}}}"#
        for count in 0..<whole.utf8.count {
            #expect(AttributeReader.value(of: Array(whole.utf8.prefix(count))) == nil)
        }
        for wrong in [
            #"{"X":"a"}"#, #"{"S":1}"#, #"{"S":"a","N":"1"}"#, #"{"NULL":false}"#, #"{"B":"*"}"#,
            #"{"S":"\ud800"}"#, #"{"M":{"a":{"S":"x"},"a":{"S":"y"}}}"#, "{\"S\":\"a\u{1}\"}",
        ] { #expect(read(wrong) == nil, "\(wrong)") }
        let deep = String(repeating: #"{"L":["#, count: 100_000)
        #expect(read(deep) == nil)
    }

    @Test("The checksum is zlib's")
    func checksum() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
        #expect(CRC32.of(Array("The quick brown fox jumps over the lazy dog".utf8)) == 0x414F_A339)
    }

    @Test("What a change takes out of a list or set is told, and nothing else is")
    func shortening() {
        func list(_ text: String) -> FieldValue { .json(Array(text.utf8)) }
        func set(_ text: String) -> FieldValue { .attribute(Array(text.utf8)) }
        let three = list(#"["a",null,"b"]"#)
        #expect(
            Shortening(from: three, to: list(#"["a","b"]"#))
                == .element(1, text(#"{"NULL":true}"#)))
        #expect(
            Shortening(from: three, to: list(#"["a",null]"#)) == .element(2, text(#"{"S":"b"}"#)))
        #expect(Shortening(from: three, to: list(#"["b","a"]"#)) == nil)
        #expect(Shortening(from: three, to: list(#"["a"]"#)) == nil)
        #expect(Shortening(from: list(#"{"a":1}"#), to: list("{}")) == nil)
        #expect(
            Shortening(from: set(#"{"SS":["a","b","c"]}"#), to: set(#"{"SS":["b"]}"#))
                == .subset(text(#"{"SS":["a","c"]}"#)))
        #expect(Shortening(from: set(#"{"SS":["a"]}"#), to: set(#"{"NS":["1"]}"#)) == nil)
        #expect(Shortening(from: set(#"{"SS":["a"]}"#), to: set(#"{"SS":["a"]}"#)) == nil)
    }
}
