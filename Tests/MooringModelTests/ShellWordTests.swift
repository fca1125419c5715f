import MooringModel
import Testing

struct ShellWordTests {
    @Test("Whatever a text holds, it is one word to a shell")
    func quoting() {
        let words = [
            "plain/a_b-c.d": "plain/a_b-c.d", "": "''", "-x": "'-x'", "a b": "'a b'",
            "x'; rm /; '/": "'x'\\''; rm /; '\\''/'", "a\nb": "'a?b'",
            "x'\u{301}y": "'x'\\''\u{301}y'",
        ]
        for (text, word) in words { #expect(ShellWord.quoting(text) == word) }
    }

    @Test("Only bytes that a person sees are printable")
    func printable() {
        #expect(ShellWord.printable(Array("fotos/\u{E4}/".utf8)) == "fotos/\u{E4}/")
        #expect(ShellWord.printable([0xFF]) == nil)
        for text in ["a\nb", "a\u{1B}[2J", "a\u{202E}b", "a\u{200B}b"] {
            #expect(ShellWord.printable(Array(text.utf8)) == nil)
        }
    }
}
