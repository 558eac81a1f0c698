"""Lines and functions of the library's core, a row a folder. Functions are the definitions that stand in the text: static
inline ones in headers count, what a macro makes does not. The project's format is regular: the `{` and the `}` of a
function stand alone in column 0."""
import re
from collections import defaultdict

CORE = ("src", "mpiio")
WORD = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def core_files(root):
    return [p for top in CORE for p in sorted((root / top).rglob("*")) if p.suffix in (".c", ".h")]


def code_of(text):
    """The text with comments made empty; the lines stay."""
    return WORD.sub(lambda m: "\n" * m.group().count("\n") if m.group().startswith("/") else m.group(), text)


def without_comments(text):
    """The text with comments, literals and preprocessor lines made empty; the lines stay."""
    text = WORD.sub(lambda m: "\n" * m.group().count("\n") or '""', text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.M)


def functions(text):
    """How many lines each function has, from its first to its `}`."""
    found, lines = [], without_comments(text).split("\n")
    for i, line in enumerate(lines):
        if line != "{" or "}" not in lines[i:]:
            continue
        first = i
        while first and lines[first - 1].strip() and lines[first - 1] not in ("}", "};"):
            first -= 1
        if "(" in "".join(lines[first:i]):
            found.append(lines.index("}", i) - first + 1)
    return found


def measure(root):
    """{folder: [files, lines, functions, longest function]}, and the row "all"."""
    rows = defaultdict(lambda: [0, 0, 0, 0])
    for path in core_files(root):
        text = path.read_text()
        found = functions(text)
        for row in (rows[path.parent.relative_to(root).as_posix()], rows["all"]):
            row[0] += 1
            row[1] += text.count("\n")
            row[2] += len(found)
            row[3] = max([row[3], *found])
    return rows


def table(root):
    rows = measure(root)
    lines = [f"{'folder':<20}{'files':>7}{'lines':>9}{'functions':>11}{'in 1,000 lines':>16}{'longest':>9}"]
    for folder in sorted(set(rows) - {"all"}) + ["all"]:
        files, count, found, longest = rows[folder]
        lines.append(f"{folder:<20}{files:>7}{count:>9}{found:>11}{1000 * found / max(count, 1):>16.1f}{longest:>9}")
    return "\n".join(lines)
