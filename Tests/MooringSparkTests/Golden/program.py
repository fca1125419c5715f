# Written by mooring: leaves out of records and objects what is plainly matched.
import sys

from pyspark.sql import SparkSession

STATEMENTS = [
    "SELECT '\\\\z\"'\nFROM t",
]

spark = SparkSession.builder.appName("mooring").config("spark.authenticate.secret", "a\"\U000000e9\U0001f511").getOrCreate()
spark.sparkContext.setLogLevel("WARN")


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


before = set(stages())
for name, value in {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}.items():
    spark.conf.set(name, value)
for number, statement in enumerate(STATEMENTS):
    try:
        spark.sql(statement)
    except Exception as error:
        known = getattr(error, "getErrorClass", None) or getattr(
            error, "getCondition", None)
        print("mooring failed", type(error).__name__, known() if known else None,
              flush=True)
        raise
    print("mooring did", number + 1, "of", len(STATEMENTS), flush=True)
spent = [told for stage, told in stages().items() if stage not in before]
if spent:
    print("mooring spent", *map(sum, zip(*spent)), flush=True)
spark.stop()
;
