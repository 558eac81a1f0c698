#!/usr/bin/env python3
"""Breaks each rule of the crash-safe changes once, in a copy of one source file, and shows that the crash machine
finds it: the states lost are printed. Fails when a rule can be broken unseen, or its line is no longer there.

    mutants.py --build BUILD --source TOP --mpicc MPICC --shim SHIM --mpiexec "COMMAND..." [--only WORD] [--share N]
    mutants.py --check          only whether each line is there once
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

D = "src/define/"
WRAPS = "-Wl,--wrap=pcdf_sidecar_inspect,--wrap=pcdf_sidecar_peek"
# what is broken, file, line as it is, line as it becomes, scenarios, who is broken: the writer, the writer with a queue, the recovery, or
# metadata (metaflushes_test.py, no scenario)
MUTANTS = [
    ("a round's data is not flushed before the next round", D + "move.c",
     "if (writes && !status)\n            status = pcdf_move_sync(m->ds, m->syncs);", "", "grow_small,grow_large", "writer"),
    ("a round is not in the journal on the storage when it is written", D + "move.c",
     "return is_noted && m->syncs ? pcdf_sidecar_sync(m->sidecar) : NC_NOERR;", "return NC_NOERR;", "grow_small,grow_large",
     "writer"),
    ("a step is noted before its bytes are in the journal", D + "move.c",
     "PCDF_TRY(fill_slot(m, slot, begin, n, &record));\n    if (record.there",
     "PCDF_TRY(put_record(m, slot, &(struct pcdf_journal_record){ .nonce = record.nonce, .round = t->round, .step = step,"
     " .there = n, .has_data = true, .is_unsummed = true }));\n"
     "    PCDF_TRY(fill_slot(m, slot, begin, n, &record));\n    if (record.there", "grow_small", "writer"),
    ("a step is not in the journal on the storage when it is written", D + "move.c",
     "PCDF_TRY(m->syncs ? pcdf_sidecar_sync(m->sidecar) : NC_NOERR);", "", "grow_small", "writer"),
    ("a step is written and not noted", D + "move.c",
     "PCDF_TRY(put_record(m, slot, &record));\n    PCDF_TRY(m->syncs", "PCDF_TRY(m->syncs", "grow_small", "writer"),
    ("a step is noted before the step before is flushed", D + "move.c",
     "PCDF_TRY(step > 1 ? pcdf_move_sync(m->ds, m->syncs) : NC_NOERR);", "", "grow_small", "writer"),
    ("that the last round is over is not noted where the header goes over what it read", D + "move.c",
     "is_needless = round == m->rounds && round > 0 && overlaps(m, round - 1, NULL);", "is_needless = round == m->rounds;",
     "grow_large", "writer"),
    ("a journal that a power cut may tear goes without checksums", "src/storage/journalfile.c",
     "const struct pcdf_filesystem *fs = pcdf_filesystem_of(f->sidecar.fd);",
     "static const struct pcdf_filesystem memory = { .is_local = true, .is_memory = true }, *fs = &memory;", "grow_small", "writer"),
    ("the journal's head is not flushed", D + "ownjournal.c",
     "err = pcdf_sidecar_sync(&c->sidecar);", "err = NC_NOERR;", "header_in_place,attribute_large", "writer"),
    ("the journal's name is not flushed", D + "ownjournal.c",
     "if (!err && syncs)\n        err = pcdf_sidecar_sync_folder(c->sidecar.path);\n    if (!err && !pcdf", "if (!err && !pcdf",
     "header_in_place,grow_small", "writer"),
    ("no mark", D + "change.c",
     "PCDF_TRY(pcdf_header_root_put(ds, PCDF_MARK_AT, mark, pcdf_journalfile_is_open(c) ? n : 1));", "(void)n;", "grow_small", "writer"),
    ("the mark is not flushed", D + "change.c",
     "mark, pcdf_journalfile_is_open(c) ? n : 1));\n    PCDF_TRY(pcdf_move_sync(ds, syncs));", "mark, pcdf_journalfile_is_open(c) ? n : 1));", "header_in_place,grow_small",
     "writer"),
    ("the first sector is written first", D + "change.c",
     "int64_t first = header->size < PCDF_SECTOR ? header->size : PCDF_SECTOR;\n",
     "int64_t first = header->size < PCDF_SECTOR ? header->size : PCDF_SECTOR;\n"
     "    PCDF_TRY(pcdf_header_root_put(ds, 0, header->bytes, first));\n    PCDF_TRY(pcdf_move_sync(ds, syncs));\n", "header_in_place,create_big_header",
     "writer"),
    ("the rest of the header is not flushed before the first sector", D + "change.c",
     "PCDF_TRY(pcdf_storage_sync(ds->io->storage, false));", "(void)ds;", "header_in_place,create_big_header", "writer"),
    ("the header is not flushed before the journal goes", D + "change.c",
     "PCDF_TRY(pcdf_header_root_put(ds, 0, header->bytes, first));\n    return pcdf_move_sync(ds, syncs);",
     "PCDF_TRY(pcdf_header_root_put(ds, 0, header->bytes, first));\n    return NC_NOERR;", "header_in_place,grow_small", "writer"),
    ("a header of several sectors is written without a journal", D + "change.c",
     "bool in_one = pcdf_change_fits_sector(s);", "bool in_one = true;", "header_in_place,attribute_large",
     "writer"),
    ("what a redef moves of a new file is not flushed", D + "change.c",
     "m.syncs = ds->on_storage || ds->commit != PCDF_COMMIT_NONE;", "m.syncs = ds->on_storage;", "grow_unsynced", "writer"),
    ("a record counts before its data is flushed", "src/dataset/records.c",
     "(void)pcdf_records_flush(ds); /* the vote", "/* the vote", "append_one,append_posted", "writer"),
    ("sync writes the number of records before it flushes data", "src/file/complete.c",
     "{ SYNC, commits },", "", "append_close",
     "writer"),
    ("a sieved block is cleared before it is written", "mpiio/sieve.c",
     "return move_piece(v, PCDF_PUT, &(struct pcdf_piece){ begin, b->end - begin, bytes });",
     "char *zeros = pcdf_calloc(1, (size_t)(b->end - begin));\n    PCDF_TRY(pcdf_storage_move_at(v->storage, PCDF_PUT, zeros, b->end - begin, begin, NULL));\n"
     "    pcdf_free(zeros);\n    return move_piece(v, PCDF_PUT, &(struct pcdf_piece){ begin, b->end - begin, bytes });", "replace_sieved", "writer"),
    ("a sieved block is not read before it is written", "mpiio/sieve.c",
     "err = pcdf_storage_move_at(v->storage, PCDF_GET, v->buffer", "memset(v->buffer, 0, ROOM), err = NC_NOERR, (void)(v->buffer", "replace_sieved", "writer"),
    ("a record whose put waited counts before its data is flushed", "src/dataset/records.c",
     "(void)pcdf_records_flush(ds); /* the vote", "/* the vote", "append_deferred", "writer"),
    ("the name of a new file is not flushed", "src/file/complete.c",
     "ds->io_error = sync_name(ds);", "(void)ds;", "create", "writer"),
    ("a file that takes the place of another is not kept", "src/file/open.c",
     "decision->replaces = !is_new;", "decision->replaces = false;", "create_over", "writer"),
    ("a file that was opened, or synced, is not kept", "src/dataset/handles.c",
     "return ds->on_storage || ds->", "return ds->", "create_auto,append_close", "writer"),
    ("a record counts before another rank's queue has written it", "src/parts/queue/queue.c",
     "int64_t written = pcdf_writequeue_written(ds->io->storage);", "int64_t written = INT64_MAX - 1;", "append_close", "queue"),
    ("a sync does not wait for the queue", "src/storage/queuestorage.c",
     "    pcdf_writer_wait(&q->writes, number, &waited);", "(void)number;", "append_close,create_auto", "queue"),
    ("recovery does not write the last round again", D + "recover.c",
     "pcdf_first(&status, pcdf_mover_redo(m, redo));", "(void)m;", "grow_small", "recovery"),
    ("recovery takes a step whose bytes are not whole", D + "move.c",
     "(!r->is_unsummed && crc != r->data_crc)", "false", "grow_small", "recovery"),
    ("recovery does not write the last step again", D + "move.c",
     "if (latest.step > 0) {", "if (latest.step < 0) {", "grow_small", "recovery"),
    ("recovery begins a round that was interrupted with its first step", D + "move.c",
     "PCDF_TRY(finish_part(m, &t, latest.step));", "PCDF_TRY(finish_part(m, &t, 0));", "grow_small", "recovery"),
    ("recovery begins before the first round", D + "recover.c",
     "missing ? latest - 1 : latest;", "latest - 1;", "grow_small", "recovery"),
    ("recovery does not flush what a kill left in memory", D + "recover.c",
     "status = store_what_is_there(ds, &c);", "(void)store_what_is_there;", "grow_small,header_in_place", "recovery"),
    ("recovery does not flush the file before a journal that has done its work goes", D + "ownjournal.c",
     "PCDF_TRY(pcdf_sidecar_sync_file(path));", "(void)path;", "grow_small,header_in_place", "recovery"),
    ("metadata behind the end is not flushed before the mark", D + "metajournal.c",
     "    PCDF_TRY(put_behind(file, f, f->old_end));\n    PCDF_TRY(sync_it(file->storage, f->syncs));",
     "    PCDF_TRY(put_behind(file, f, f->old_end));", "", "metadata"),
    ("the mark of HDF5's metadata is not flushed", D + "metajournal.c",
     "MARK_SIGNATURE));\n    PCDF_TRY(sync_it(file->storage, syncs));", "MARK_SIGNATURE));", "", "metadata"),
    ("metadata is not marked", D + "metajournal.c", "    PCDF_TRY(put_mark(file, f->syncs, c));\n", "    (void)put_mark;\n", "", "metadata"),
    ("ranges of metadata are not flushed before the first sector", D + "metajournal.c",
     "f->old_end));\n    PCDF_TRY(sync_it(file->storage, f->syncs));\n    PCDF_TRY(put(file->storage, 0",
     "f->old_end));\n    PCDF_TRY(put(file->storage, 0", "", "metadata"),
    ("metadata of several sectors is one write", D + "metajournal.c",
     "if (pcdf_change_fits_sector(span))", "if (span.to - span.from < PCDF_SECTOR)", "", "metadata"),
    ("metadata within a sector is not flushed", D + "metajournal.c",
     "sector, s.to - s.from));\n    return sync_it(file->storage, f->syncs);", "sector, s.to - s.from));\n    return NC_NOERR;", "", "metadata"),
    ("a new HDF5 file is not flushed before its first sector", D + "metajournal.c",
     "put_behind(file, f, PCDF_SECTOR));\n    PCDF_TRY(sync_it(file->storage, f->syncs));", "put_behind(file, f, PCDF_SECTOR));", "", "metadata"),
    ("the journal of metadata lacks a range", D + "metajournal.c",
     "for (int64_t i = 0; i < f->ranges->n; i++) {\n        struct pcdf_h5range r = cut(&f->ranges->x[i], PCDF_SECTOR, f->old_end);",
     "for (int64_t i = 0; i < f->ranges->n - 1; i++) {\n        struct pcdf_h5range r = cut(&f->ranges->x[i], PCDF_SECTOR, f->old_end);", "", "metadata"),
    ("recovery of metadata does not flush the file first", D + "metajournal.c",
     "    PCDF_TRY(pcdf_storage_sync(s, false));\n    PCDF_TRY(put_again", "    PCDF_TRY(put_again", "", "metadata"),
    ("recovery of metadata does not flush before the first sector", D + "metajournal.c",
     "put_again(s, &c->journal));\n    PCDF_TRY(pcdf_storage_sync(s, false));", "put_again(s, &c->journal));", "", "metadata"),
    ("recovery of metadata writes the first sector first", D + "metajournal.c",
     "int64_t skip = r.offset == 0 ? PCDF_SECTOR : 0;", "int64_t skip = 0;", "", "metadata"),
]


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("build", "source", "mpicc", "shim", "mpiexec"):
        p.add_argument(f"--{name}", required=True)
    p.add_argument("--share", type=int, default=1, help="one in so many, other ones for each seed")
    p.add_argument("--only", default="", help="mutants whose description has this word")
    return p.parse_args()


def compile_mutant(o, place, file, old, new):
    text = (Path(o.source) / file).read_text()
    mutant = place / Path(file).name
    mutant.write_text(text.replace(old, new))
    commands = json.loads((Path(o.build) / "compile_commands.json").read_text())
    row = next(r for r in commands if r["file"].endswith("/" + file))
    words = shlex.split(row["command"])
    words[words.index("-o") + 1] = str(place / "mutant.o")
    words[words.index("-c") + 1] = str(mutant)
    words += ["-I", str(Path(o.source, file).parent), "-Wno-error", "-w"]
    subprocess.run(words, cwd=row["directory"], check=True)


def link(o, place, program, more):
    """The mutant's object stands before the library, whose own of that file is then not taken."""
    objects = sorted(Path(o.build, f"tests/crash/CMakeFiles/{program}.dir").rglob("*.o"))
    libraries = subprocess.run(["pkg-config", "--libs", "libutf8proc"], capture_output=True, text=True).stdout.split()
    subprocess.run([o.mpicc, *objects, place / "mutant.o", Path(o.build, "libparcdf.a"), *libraries, "-lm", "-ldl", *more,
                    "-o", place / program], check=True)
    return place / program


def run_metadata(o, place, what):
    maker = Path(o.build, "tests/bin/h5meta_write").resolve()
    if not maker.exists():
        print(f"skipped, since there is no HDF5: {what}")
        return True
    shim = Path(o.build, "tests/support/shim/CMakeFiles/pcdf_shimcontrol.dir/shimcontrol.c.o")
    link(o, place, "metaflushes", [shim])
    link(o, place, "judge", [WRAPS])
    (place / "h5meta_write").symlink_to(maker)
    done = subprocess.run([sys.executable, "-B", Path(__file__).parent / "metaflushes_test.py", place, o.shim, "6", "1", "7"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode == 77:
        print(f"skipped: {what}")
        return True
    sums = re.findall(r"^all: (\d+) states .* (\d+) recovered, .* (\d+) bad$", done.stdout, re.M)
    states, recovered, bad = map(int, sums[0]) if sums else (0, 0, 0)
    print(f"{bad:7d} lost of {states:7d} states, {recovered:6d} recovered: {what}", flush=True)
    if not bad:
        print(done.stdout[-1000:], done.stderr[-1000:])
    return bad > 0


def run(o, place, mutant):
    what, file, old, new, scenarios, who = mutant
    compile_mutant(o, place, file, old, new)
    if who == "metadata":
        return run_metadata(o, place, what)
    command = [sys.executable, "-B", Path(__file__).parent / "crash_test.py", "states", "--build", f"{o.build}/tests/bin",
               "--shim", o.shim, "--mpiexec", o.mpiexec, "--names", scenarios, "--version", "2", "--ranks", "1,2",
               "--kill-every", "1"]
    if "kill" in what or "journal that has" in what:  # seen in recoveries alone
        command += ["--every", "1000", "--nested", "1"]
    else:  # what the writer breaks is seen without a crash in the recovery
        command += ["--every", "10", "--nested", "200" if who == "recovery" else "2000"]
    if who == "queue":
        command += ["--hints", "pcdf_async=4M,pcdf_debug_async_rate=1"]
    if who != "recovery":
        command += ["--scenario", link(o, place, "scenario", [])]
    else:
        command += ["--judge", link(o, place, "judge", [WRAPS])]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    sums = re.findall(r"^all: (\d+) states .* (\d+) recovered, .* (\d+) bad$", done.stdout, re.M)
    if not sums and "/scenario on " in done.stderr:  # it looks at every value at its end
        print(f"{'':41}no state is needed: {what}", flush=True)
        return True
    if not sums:
        print(done.stdout[-3000:], done.stderr[-3000:])
        sys.exit(f"{what}: the crash machine did not run")
    states, recovered, bad = map(int, sums[0])
    print(f"{bad:7d} lost of {states:7d} states, {recovered:6d} recovered: {what}", flush=True)
    return bad > 0 and done.returncode != 0


def not_once(source):
    """Rules whose line is not in the source, or more than once."""
    for what, file, old, *_ in MUTANTS:
        path = Path(source, file)
        n = path.read_text().count(old) if path.exists() else 0
        if n != 1:
            yield f"{what}: {file} has {n} times: {old!r}"


def main():
    if sys.argv[1:] == ["--check"]:
        bad = list(not_once(Path(__file__).resolve().parents[2]))
        print("\n".join(bad) or f"{len(MUTANTS)} lines are there")
        return 1 if bad else 0
    o = arguments()
    start = time.time()
    missed = []
    bad = list(not_once(o.source))
    if bad:
        sys.exit("\n".join(bad))
    chosen = runner.sample(MUTANTS, o.share, runner.seed()) if o.share > 1 else MUTANTS
    for mutant in chosen:
        with tempfile.TemporaryDirectory() as place:
            if o.only in mutant[0] and not run(o, Path(place), mutant):
                missed.append(mutant[0])
    print(f"{len(chosen)} of {len(MUTANTS)} rules, {time.time() - start:.0f} s")
    for what in missed:
        print(f"not found: {what}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
