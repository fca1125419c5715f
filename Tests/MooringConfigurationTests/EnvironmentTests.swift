import MooringConfiguration
import MooringModel
import Testing

struct EnvironmentTests {
    @Test("a variable stands for itself in any value, also where no text is wanted")
    func values() throws {
        let configuration = try Sample.read(
            Sample.with(
                """
                ledger: ${STATE}/x-${NAME}.ledger
                repair: {apply: "${APPLY}", retention: '${DAYS}d'}
                limits: {steps: "${STEPS}"}
                """),
            environment: [
                "STATE": "/var/lib", "NAME": "a", "APPLY": "true", "DAYS": "7", "STEPS": "5",
            ])
        #expect(configuration.ledger == "/var/lib/x-a.ledger")
        #expect(configuration.repair.apply)
        #expect(configuration.repair.retention == .seconds(7 * 86_400))
        #expect(configuration.limits.steps == 5)
    }

    @Test("a doubled dollar keeps the braces, and what a variable holds is not read again")
    func escapes() throws {
        let environment = ["A": "${B}", "B": "wrong"]
        for (text, wanted) in [
            ("$${A}", "/app/${A}"), ("${A}", "/app/${B}"), ("x$${A}${A}", "/app/x${A}${B}"),
            ("$A", "/app/$A"), ("a$", "/app/a$"), ("$$", "/app/$$"),
        ] {
            let configuration = try Sample.read(
                Sample.with("ledger: \"\(text)\""), environment: environment)
            #expect(configuration.ledger == wanted)
        }
    }

    @Test("keys and comments are not read for variables")
    func keys() throws {
        let configuration = try Sample.read(
            Sample.with("# ${GONE}\nlevels: {\"${GONE}\": x/}"))
        #expect(configuration.levels.last?.name == "${GONE}")
    }

    @Test(
        "a variable that is not set, or a form that is none, is refused",
        arguments: [
            ("${GONE}", "the environment variable GONE is not set"),
            ("${A}${GONE}", "the environment variable GONE is not set"),
            ("${}", "'${}' names no environment variable; write '$${' for the two characters"),
            (
                "${a b}",
                "'${a b}' names no environment variable; write '$${' for the two characters"
            ),
            ("${1A}", "'${1A}' names no environment variable; write '$${' for the two characters"),
            ("${A", "'${' has no '}' after it; write '$${' for the two characters"),
        ])
    func refused(text: String, message: String) {
        #expect(
            Sample.refusal(Sample.with("ledger: \"\(text)\""), environment: ["A": "a"])
                == "mooring.yaml:10: 'ledger': " + message)
    }

    @Test("an empty variable leaves an empty text, which is refused where one is needed")
    func empty() {
        #expect(
            Sample.refusal(Sample.with("ledger: ${A}"), environment: ["A": ""])
                == "mooring.yaml:10: 'ledger' needs a text that is not empty, and '${A}' is one in "
                + "this environment")
    }
}
