import MooringText

/// The program that Spark runs: a Python file that holds its statements, so that nothing else has
/// to lie where the driver runs.
package enum SparkProgram {
    /// The file's text, ASCII alone. It prints how far it is, and of an error its class alone: its
    /// text may hold what records hold. Secret settings stand in it, which no command line shows.
    package static func text(_ statements: [String], secrets: [String: String] = [:]) -> String {
        let literals = statements.map { "    \(literal($0)),\n" }.joined()
        let settings = secrets.sorted { $0.key < $1.key }
            .map { "    \(literal($0.key)): \(literal($0.value)),\n" }.joined()
        return """
            # Written by mooring: leaves out of records and objects what is plainly matched.
            import sys

            from pyspark.sql import SparkSession

            STATEMENTS = [
            \(literals)]

            SETTINGS = {
            \(settings)}


            \(failing)


            # Of what fails its line is shown: none of them holds a setting.
            builder = SparkSession.builder.appName("mooring")
            for name, value in SETTINGS.items():
                builder = builder.config(name, value)
            try:
                spark = builder.getOrCreate()
            except Exception as error:
                failed(error)
                raise
            spark.sparkContext.setLogLevel("WARN")


            \(counting)


            before = set(stages())
            \(pinned)
            for number, statement in enumerate(STATEMENTS):
                try:
                    spark.sql(statement)
                except Exception as error:
                    failed(error)
                    raise
                print("mooring did", number + 1, "of", len(STATEMENTS), flush=True)
            spent = [told for stage, told in stages().items() if stage not in before]
            if spent:
                print("mooring spent", *map(sum, zip(*spent)), flush=True)
            spark.stop()

            """
    }

    // What a cluster may set otherwise, and statements would mean or read something else by.
    private static let pinned = """
        for name, value in {
            "spark.sql.ansi.enabled": "false",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.parser.escapedStringLiterals": "false",
            "spark.sql.variable.substitute": "false",
            "spark.sql.files.ignoreCorruptFiles": "false",
            "spark.sql.files.ignoreMissingFiles": "false",
            "spark.sql.files.maxRecordsPerFile": "0",
            "spark.sql.legacy.timeParserPolicy": "CORRECTED",
            "spark.sql.legacy.createEmptyCollectionUsingStringType": "false",
            "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
            "orc.force.positional.evolution": "false",
            "mapreduce.input.linerecordreader.line.maxlength": "2147483647",
            "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
        }.items():
            spark.conf.set(name, value)
        """

    // The classes of an error and of what caused it, in a program.
    private static let failing = """
        def failed(error):
            words = [type(error).__name__]
            try:
                known = getattr(error, "getErrorClass", None) or getattr(
                    error, "getCondition", None)
                words.append(known() if known else None)
                cause = getattr(error, "java_exception", None)
                while cause is not None:
                    words.append(cause.getClass().getName())
                    cause = cause.getCause()
            except Exception:  # What would tell it has ended too.
                pass
            print("mooring failed", *filter(None, words), flush=True)
        """

    // What the tasks of each stage of Spark's read, sent and spilled so far, in a program.
    private static let counting = """
        def stages():
            try:
                context = spark.sparkContext._jsc.sc()
                context.listenerBus().waitUntilEmpty()
                kind = spark._jvm.java.lang.Class.forName(
                    "org.apache.spark.status.StageDataWrapper")
                each = context.statusStore().store().view(kind).iterator()
                found = {}
                while each.hasNext():
                    told = each.next().info()
                    found[told.stageId(), told.attemptId()] = (
                        told.inputRecords(), told.inputBytes(), told.shuffleWriteBytes(),
                        told.diskBytesSpilled())
                return found
            except Exception:  # Not every version tells it so.
                return {}
        """

    // As Python writes it, in ASCII.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case " "..."~": literal.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                literal += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return literal + "\""
    }
}
