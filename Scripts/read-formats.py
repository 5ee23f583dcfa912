"""Reads exports and run folders with parsers of other projects, and compares the results.

read-formats.py EXPORTS RUN...    called by Scripts/check-formats
"""

import csv
import json
import math
import pathlib
import re
import sys
import urllib.parse

import junitparser
import pandas
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
from prometheus_client.openmetrics.parser import text_string_to_metric_families

PERCENTILES = {"p50_ns": 50, "p90_ns": 90, "p95_ns": 95, "p99_ns": 99, "p99_9_ns": 99.9, "p99_99_ns": 99.99}


def histogram(digits=3):
    return HdrHistogram(1, 3_600_000_000_000, digits)


def histograms_by_tag(path):
    """Returns the histograms of a log, added up by tag, and the number of its lines after the header."""
    reader = HistogramLogReader(str(path), histogram())
    sums = {}
    count = 0
    while (interval := reader.get_next_interval_histogram()) is not None:
        count += 1
        assert interval.get_end_time_stamp() >= interval.get_start_time_stamp() > 1.6e12, interval.get_tag()
        sums.setdefault(interval.get_tag(), histogram()).add(interval)
    reader.close()
    return sums, count


def check_lines(path):
    """Checks the lines of a log more strictly than its reader does."""
    lines = path.read_text().splitlines()
    assert lines[0] == "#[Histogram log format version 1.3]"
    assert lines[3] == '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"'
    for line in lines[4:]:
        match = re.fullmatch(r"Tag=([^, ]+),(\d+\.\d{3}),(\d+\.\d{3}),(\d+\.\d{3}),(HISTFAAA[A-Za-z0-9+/=]+)", line)
        assert match, line
        greatest = HdrHistogram.decode(match[5]).get_max_value() / 1e6
        assert math.isclose(greatest, float(match[4]), rel_tol=0.002, abs_tol=0.002), line


def value_at(histogram_, percent):
    """Returns the value as HdrHistogram for Java defines it: the Python library rounds the wanted count to nearest,
    and not up."""
    wanted = max(1, math.ceil(math.nextafter(percent, 0) * histogram_.get_total_count() / 100))
    return next(
        item.value_iterated_to
        for item in histogram_.get_recorded_iterator()
        if item.total_count_to_this_value >= wanted
    )


def check_log(run):
    check_lines(run / "latency.hlog")
    sums, lines = histograms_by_tag(run / "latency.hlog")
    rows = list(csv.DictReader((run / "summary.csv").open(newline="")))
    has_repetitions = any(row["repetition"] != "1" for row in rows)
    seen = set()
    for row in rows:
        if row["count"] == "0":
            continue
        parts = [row["variant"]] if row["variant"] else []
        parts += [row["repetition"]] if has_repetitions else []
        parts += [row["phase"], row["actor"], row["operation"], row["kind"]]
        tag = "/".join(urllib.parse.quote(part, safe="-._=()") for part in parts)
        seen.add(tag)
        sum_ = sums[tag]
        assert sum_.get_total_count() == int(row["count"]), (tag, sum_.get_total_count(), row["count"])
        for column, percent in PERCENTILES.items():
            if not row[column]:
                # A percentile is left out if no value lies beyond it.
                assert round(sum_.get_total_count() * (100 - percent), 6) < 100, (tag, column)
                continue
            # A value of the table may be the exact minimum or maximum; a log has only their buckets.
            expected = sum_.get_highest_equivalent_value(int(row[column]))
            assert value_at(sum_, percent) == expected, (tag, column, row[column])
        assert sum_.get_highest_equivalent_value(int(row["max_ns"])) == sum_.get_max_value(), tag
    assert seen == set(sums), seen ^ set(sums)
    print(f"{run.name}: latency.hlog has {lines} lines of {len(sums)} tags, and agrees with summary.csv")


def check_tables(run):
    for path in sorted(run.glob("*.csv")):
        table = pandas.read_csv(path)
        rows = list(csv.reader(path.open(newline="")))
        assert list(table.columns) == rows[0], path
        assert len(table) == len(rows) - 1, path
        for column in table.columns:
            if re.search(r"(_ns|_s|_commits|_alone|^count|^value|^number|^repetition|frames.*|^bytes.*)$", column):
                assert table.empty or pandas.api.types.is_numeric_dtype(table[column]), (path, column)
        print(f"{run.name}: pandas reads {len(table)} rows of {path.name}")


def check_exports(folder):
    google = json.loads((folder / "google-benchmark/google-benchmark.json").read_text())
    assert google["context"]["caches"] == [] and google["benchmarks"]
    assert all(math.isfinite(entry["real_time"]) for entry in google["benchmarks"])
    for name in ("smaller-is-better.json", "bigger-is-better.json"):
        for entry in json.loads((folder / "github-action-benchmark" / name).read_text()):
            assert entry["name"] and entry["unit"] and math.isfinite(entry["value"])
    for measures in json.loads((folder / "bencher/bencher.json").read_text()).values():
        for slug, metric in measures.items():
            assert re.fullmatch(r"[a-z0-9-]+", slug) and math.isfinite(metric["value"])
    suites = junitparser.JUnitXml.fromfile(str(folder / "junit/junit.xml"))
    cases = [case for suite in suites for case in suite]
    broken = [case for case in cases if any(isinstance(result, junitparser.Failure) for result in case.result)]
    assert suites.tests == len(cases) and suites.failures == len(broken), folder
    metrics = (folder / "openmetrics/openmetrics.txt").read_text()
    families = {family.name: family for family in text_string_to_metric_families(metrics)}
    assert families["yapbench_latency_seconds"].unit == "seconds"
    assert families["yapbench_run"].type == "info"
    check_percentiles(folder)
    print(f"{folder.name}: {len(google['benchmarks'])} benchmarks, {len(cases)} cases, {len(families)} families")


def check_percentiles(folder):
    """Checks each line, mean, maximum and total of the percentile output against HdrHistogram's own counts."""
    document = json.loads((folder / "run.json").read_text())
    phases = [phase for run in document["runs"] for phase in run["phases"] if phase["isRecorded"]]
    operations = [one for phase in phases for actor in phase["actors"] for one in actor["operations"]]
    operations += [one for phase in phases for one in phase["eventTimes"]]
    latencies = [latency for one in operations for latency in one["times"].values() if latency["counts"]]
    wanted = set()
    for latency in latencies:
        digits = latency["digits"]
        own = histogram(digits)
        for value, count in zip(latency["values"], latency["counts"]):
            own.record_value(value, count)
        ends = (f"{end:.{digits}f}" for end in (own.get_mean_value(), own.get_max_value()))
        wanted.add((own.get_total_count(), *ends, counted(own)))
    files = list((folder / "hgrm").glob("*.hgrm"))
    assert len(files) == len(latencies), (len(files), len(latencies))
    for path in files:
        text = path.read_text()
        rows = [line.split() for line in text.splitlines()[2:] if not line.startswith("#")]
        ends = re.search(r"#\[Mean    = +([\d.]+),.*\n#\[Max     = +([\d.]+), Total count    = +(\d+)\]", text)
        match = [item for item in wanted if item[:3] == (int(ends[3]), ends[1], ends[2])]
        assert any(all((float(row[0]), int(row[2])) in item[3] for row in rows) for item in match), path
        assert all(float(row[1]) <= int(row[2]) / int(ends[3]) for row in rows), path


def counted(histogram_):
    """Returns the number of values up to each value."""
    return frozenset(
        (float(item.value_iterated_to), item.total_count_to_this_value)
        for item in histogram_.get_recorded_iterator()
    )


if __name__ == "__main__":
    for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        check_exports(folder)
    for run in map(pathlib.Path, sys.argv[2:]):
        check_log(run)
        check_tables(run)
    print("read-formats: passed")
