#!/usr/bin/env python3
"""Does a plain-words request end in the right result?  Runs cases.jsonl against a holloway binary.

usage: run.py [--bin PATH] [--only id,...] [--group NAME,...] [--extra "flags"]
              [--out results.jsonl] [--against earlier.jsonl] [--jobs 1|2] [--timeout 60] [--seed 1] [--keep DIR] [--cases FILE] [--show wrong,harm]
              [--memory N] [--memory-cases FILE] [--drafts FILE] [--model URL NAME]

Each case runs in a temporary folder of its own (the only granted one), with its own HOME and HOLLOWAY_HOME:
    holloway ask REQUEST --auto --seed 1 --yes --no-question [--allow-host 127.0.0.1]
`--yes` allows calls beforehand, `--auto --seed 1` chooses the plan (always the same one), `--no-question` asks nothing; `--partial` is
never given, so a request of which only a part can be done ends with exit code 2 and counts as refused. Standard library only.

With --drafts, plans that were drafted for these cases (`fit_sure draft`) are run instead: `holloway run PLAN --yes`, doubtful and partial ones too.
--out then has one line for each: its signs, whether the planner would show it, and whether it ended right.

classes  right    what was asked for happened, and nothing that must stay was touched; or: refused where refusing is right
         refused  exit code other than 0, or nothing done and said so; a run that fails half-way counts here too (new files that it left are named)
         wrong    exit code 0 (success claimed), but the expectation is not met
         harm     an input file was changed or deleted against the expectation, or something outside the folder was written
         crash, timeout

expect   all keys that are there must hold:
  answer_has / answer_lacks [regex]      on stdout (ignoring case, ^ and $ per line)
  answer_number x, tolerance t           x is among the numbers of stdout, which has at most max_numbers (25) of them
  answer_numbers [x, ...]                all of them
  answer_pairs [[regex, x], ...]         each label stands with its number (same line, or after it and before the next label)
  answer_order [text, ...]               texts in this order;  answer_first {want, among}: want comes before all the others
  answer_max_chars, answer_min_chars
  where "any"                            the answer may also stand in files that were made
  file NAME-or-glob with has, lacks, equals, rows, min_rows, row_values, ordered, columns_are, columns_have, columns_lack, json_path + value,
       kind (pdf, xlsx, svg, html), order, numbers, pairs, sheet, empty, min_bytes, lines_are;  files_made [ {file: ...}, ... ] for several
  gone [file]                            was deleted
  refuse true                            must end with an exit code other than 0, say something, change and make nothing
  refuse_ok true                         refusing is right too
  any_of [ {...}, ... ]                  one of them holds
  unchanged [file]                       must be there, byte for byte; may_change [file]: may differ (losing lines without meeting the
                                         expectation is harm)
"""
import argparse, base64, csv, fnmatch, html, http.server, io, json, os, re, shutil, signal, subprocess, sys, tempfile, threading, time, zipfile, zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", Path.home() / ".cache/holloway/target"))
RELEASE, DEBUG = TARGET / "release/holloway", TARGET / "debug/holloway"
# where the pages are in drafts
DRAFTED_BASE = "http://127.0.0.1:8123"
GROUPS = ["tables", "text", "files", "web", "mixed", "impossible", "dangerous", "languages"]
CLASSES = ["right", "refused", "wrong", "harm", "crash", "timeout"]


# ---------------------------------------------------------------- workbooks
def xlsx_bytes(sheets):
    """A workbook as a spreadsheet program would save it: shared texts, numbers as numbers."""
    shared, index = [], {}

    def cell(ref, v):
        if v is None or v == "":
            return ""
        if isinstance(v, (int, float)) and not isinstance(v, bool):
            return f'<c r="{ref}"><v>{v}</v></c>'
        if v not in index:
            index[v] = len(shared)
            shared.append(v)
        return f'<c r="{ref}" t="s"><v>{index[v]}</v></c>'

    ns = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    bodies = []
    for rows in sheets.values():
        out = []
        for r, row in enumerate(rows, 1):
            out.append(f'<row r="{r}">' + "".join(cell(f"{chr(65 + c)}{r}", v) for c, v in enumerate(row)) + "</row>")
        bodies.append(f'{head}<worksheet xmlns="{ns}"><sheetData>{"".join(out)}</sheetData></worksheet>')
    buf = io.BytesIO()
    with zipfile.ZipFile(buf, "w", zipfile.ZIP_DEFLATED) as z:
        def put(name, text):
            z.writestr(zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0)), text)
        over = "".join(f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>' for i in range(1, len(bodies) + 1))
        put("[Content_Types].xml", f'{head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{over}<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>')
        put("_rels/.rels", f'{head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{rel}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        names = "".join(f'<sheet name="{html.escape(n)}" sheetId="{i}" r:id="rId{i}"/>' for i, n in enumerate(sheets, 1))
        put("xl/workbook.xml", f'{head}<workbook xmlns="{ns}" xmlns:r="{rel}"><sheets>{names}</sheets></workbook>')
        rels = "".join(f'<Relationship Id="rId{i}" Type="{rel}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in range(1, len(bodies) + 1))
        put("xl/_rels/workbook.xml.rels", f'{head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rels}<Relationship Id="rId99" Type="{rel}/sharedStrings" Target="sharedStrings.xml"/></Relationships>')
        for i, b in enumerate(bodies, 1):
            put(f"xl/worksheets/sheet{i}.xml", b)
        put("xl/sharedStrings.xml", f'{head}<sst xmlns="{ns}" count="{len(shared)}" uniqueCount="{len(shared)}">' + "".join(f"<si><t>{html.escape(str(s))}</t></si>" for s in shared) + "</sst>")
    return buf.getvalue()


def read_xlsx(data):
    """{sheet: [[cell as text]]}; an unreadable file gives {}."""
    local = lambda e: e.tag.rsplit("}", 1)[-1]
    out = {}
    try:
        z = zipfile.ZipFile(io.BytesIO(data))
        names = z.namelist()
        shared = []
        if "xl/sharedStrings.xml" in names:
            for si in ElementTree.fromstring(z.read("xl/sharedStrings.xml")):
                shared.append("".join(t.text or "" for t in si.iter() if local(t) == "t"))
        rels = {r.get("Id"): r.get("Target") for r in ElementTree.fromstring(z.read("xl/_rels/workbook.xml.rels"))}
        for s in ElementTree.fromstring(z.read("xl/workbook.xml")).iter():
            if local(s) != "sheet":
                continue
            target = rels[next(v for k, v in s.attrib.items() if k.endswith("}id"))].lstrip("/")
            path = target if target.startswith("xl/") else "xl/" + target
            rows = []
            for row in ElementTree.fromstring(z.read(path)).iter():
                if local(row) != "row":
                    continue
                cells = {}
                for i, c in enumerate(row):
                    ref = re.match(r"[A-Z]+", c.get("r") or "")
                    col = i
                    if ref:
                        col = 0
                        for ch in ref.group():
                            col = col * 26 + ord(ch) - 64
                        col -= 1
                    v = next((e.text for e in c if local(e) == "v"), None)
                    if c.get("t") == "s" and v is not None:
                        v = shared[int(v)]
                    elif c.get("t") == "inlineStr":
                        v = "".join(t.text or "" for t in c.iter() if local(t) == "t")
                    cells[col] = v or ""
                rows.append([cells.get(i, "") for i in range(max(cells, default=-1) + 1)])
            out[s.get("name")] = rows
    except Exception:
        return {}
    return out


# ---------------------------------------------------------------- reading what was made
def text_of(path):
    """The text of a file as a person would see it, as far as the standard library goes."""
    data = path.read_bytes()
    if path.suffix.lower() == ".xlsx":
        return "\n".join(",".join(r) for rows in read_xlsx(data).values() for r in rows)
    if data[:5] == b"%PDF-":
        return pdf_text(data)
    return data.decode("utf-8", "replace")


def pdf_text(data):
    """Best effort: the texts of a PDF by the ToUnicode maps of its fonts; white space between words is mostly lost."""
    objects = {}
    for m in re.finditer(rb"(?<!\d)(\d+) \d+ obj\b(.*?)endobj", data, re.S):
        body, stream = m.group(2), b""
        s = re.search(rb"stream\r?\n(.*?)\r?\n?endstream", body, re.S)
        if s:
            body, stream = body[:s.start()], s.group(1)
            try:
                stream = zlib.decompressobj().decompress(stream)
            except zlib.error:
                pass
        objects[int(m.group(1))] = (body, stream)
    wide = lambda h: bytes.fromhex(h.decode()).decode("utf-16-be", "replace")

    def cmap(stream):
        out = {}
        for block in re.findall(rb"beginbfchar(.*?)endbfchar", stream, re.S):
            for a, b in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
                out[int(a, 16)] = wide(b)
        for block in re.findall(rb"beginbfrange(.*?)endbfrange", stream, re.S):
            for a, b, c in re.findall(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
                for i in range(min(int(b, 16) - int(a, 16) + 1, 65536)):
                    out[int(a, 16) + i] = chr(min(int(c, 16) + i, 0x10FFFF))
        return out

    fonts = {}
    for body, _ in objects.values():
        for name, ref in re.findall(rb"/([A-Za-z]+\d+) (\d+) 0 R", body):
            to = re.search(rb"/ToUnicode (\d+) 0 R", objects.get(int(ref), (b"", b""))[0])
            if to and int(to.group(1)) in objects:
                fonts[name] = cmap(objects[int(to.group(1))][1])

    def literal(raw):
        out, i, esc = bytearray(), 0, {110: 10, 114: 13, 116: 9, 98: 8, 102: 12}
        while i < len(raw):
            c = raw[i]
            if c == 92 and i + 1 < len(raw):
                octal = re.match(rb"[0-7]{1,3}", raw[i + 1:i + 4])
                if octal:
                    out.append(int(octal.group(), 8) & 255)
                    i += 1 + len(octal.group())
                    continue
                out.append(esc.get(raw[i + 1], raw[i + 1]))
                i += 2
                continue
            out.append(c)
            i += 1
        return bytes(out)

    texts = []
    for body, stream in objects.values():
        if not re.search(rb"T[jJ]\b", stream) or b"BT" not in stream:
            continue
        font = {}
        for m in re.finditer(rb"/([A-Za-z]+\d+) [\d.]+ Tf|\(((?:\\.|[^\\()])*)\)|<([0-9A-Fa-f\s]+)>|(T[jJ*dDm]\b)", stream, re.S):
            if m.group(1):
                font = fonts.get(m.group(1), {})
            elif m.group(4):
                texts.append("\n" if m.group(4) == b"Tm" else "")
            else:
                raw = literal(m.group(2)) if m.group(2) is not None else bytes.fromhex(re.sub(rb"\s", b"", m.group(3)).decode().ljust(2, "0")) if len(re.sub(rb"\s", b"", m.group(3))) % 2 == 0 else b""
                texts.append("".join(font.get(int.from_bytes(raw[i:i + 2], "big"), "") for i in range(0, len(raw), 2)) if font else raw.decode("latin-1"))
    return "".join(texts)


def visible(path):
    t = text_of(path)
    if path.suffix.lower() in (".html", ".htm", ".svg"):
        t = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", t)
        t = html.unescape(re.sub(r"(?s)<[^>]+>", "\n", t))
    return t


def table_of(path, sheet=None):
    """(columns, rows as lists of text); ([], []) where there is no table."""
    suffix, data = path.suffix.lower(), path.read_bytes()
    grid = []
    if suffix == ".xlsx":
        sheets = read_xlsx(data)
        grid = sheets.get(sheet, []) if sheet else next((r for r in sheets.values() if r), [])
    else:
        text = data.decode("utf-8-sig", "replace")
        if suffix in (".json", ".jsonl", ".ndjson"):
            try:
                value = json.loads(text)
            except ValueError:
                try:
                    value = [json.loads(l) for l in text.splitlines() if l.strip()]
                except ValueError:
                    return [], []
            if isinstance(value, dict):
                value = next((v for k, v in value.items() if k == "rows" and isinstance(v, list)), None) or next((v for v in value.values() if isinstance(v, list)), [value])
            columns = []
            for r in value:
                for k in r if isinstance(r, dict) else []:
                    if k not in columns:
                        columns.append(k)
            show = lambda v: "" if v is None else v if isinstance(v, str) else json.dumps(v)
            return columns, [[show(r.get(c)) for c in columns] if isinstance(r, dict) else [show(r)] for r in value]
        if suffix in (".html", ".htm"):
            for t in re.findall(r"(?is)<table\b.*?</table>", text):
                grid = [[html.unescape(re.sub(r"(?s)<[^>]+>", "", c)).strip() for c in re.findall(r"(?is)<t[hd]\b[^>]*>(.*?)</t[hd]>", r)] for r in re.findall(r"(?is)<tr\b.*?</tr>", t)]
                break
        elif suffix == ".md":
            grid = [[c.strip() for c in l.strip().strip("|").split("|")] for l in text.splitlines() if l.strip().startswith("|") and not re.fullmatch(r"[|\s:-]+", l.strip())]
        else:
            first = text.split("\n", 1)[0]
            delim = max(",;\t|", key=first.count) if suffix != ".tsv" else "\t"
            grid = [r for r in csv.reader(io.StringIO(text), delimiter=delim) if r]
    return (grid[0], grid[1:]) if grid else ([], [])


NUMBER = re.compile(r"(?<![A-Za-z0-9_.,/])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?(?![A-Za-z0-9_])|(?<![A-Za-z0-9_.,/])[-−]?\d+(?:\.\d+)?(?=[%€£$])")


def numbers(text):
    out = []
    for m in NUMBER.finditer(re.sub(r"(?<=[$€£¥])(?=\d)", " ", text)):
        try:
            out.append(float(m.group().replace(",", "").replace("−", "-")))
        except ValueError:
            pass
    return out


def loose_numbers(text):
    """Also those of a list without blanks, such as 700,725,750."""
    return numbers(text) + numbers(text.replace(",", " , "))


def near(a, b, tol):
    return abs(a - b) <= tol + 1e-9


def cell_is(cell, want):
    cell = str(cell).strip()
    if isinstance(want, (int, float)) and not isinstance(want, bool):
        n = numbers(cell)
        return len(n) == 1 and near(n[0], want, max(0.0051, abs(want) * 1e-6))
    want = str(want).strip()
    if cell.lower() == want.lower():
        return True
    if re.fullmatch(r"\d{4}-\d\d-\d\d", want):
        if cell.startswith(want):
            return True
        if re.fullmatch(r"\d{5}(\.0+)?", cell):
            return (date(1899, 12, 30) + timedelta(days=int(float(cell)))).isoformat() == want
    try:
        return float(cell) == float(want)
    except ValueError:
        return False


def row_fits(row, wants):
    left = list(row)
    for w in wants:
        hit = next((i for i, c in enumerate(left) if cell_is(c, w)), None)
        if hit is None:
            return False
        left.pop(hit)
    return True


def plain(name):
    return re.sub(r"[^a-z0-9]", "", str(name).lower())


def find(pattern, text):
    return re.search(pattern, text, re.I | re.M) is not None


def in_order(texts, text):
    at, low = 0, text.lower()
    for t in texts:
        i = low.find(t.lower(), at)
        if i < 0:
            return t
        at = i + len(t)
    return None


def pairs_missing(pairs, text, tol):
    """The first label that does not stand with its number."""
    places = sorted((m.start(), m.end(), i) for i, (label, _) in enumerate(pairs) for m in re.finditer(label, text, re.I | re.M))
    for i, (label, x) in enumerate(pairs):
        ok = False
        for k, (start, end, which) in enumerate(places):
            if which != i:
                continue
            after = next((p[0] for p in places[k + 1:] if p[2] != i), len(text))
            line = text[text.rfind("\n", 0, start) + 1:(text.find("\n", end) + 1 or len(text) + 1) - 1]
            others = any(re.search(l, line, re.I | re.M) for j, (l, _) in enumerate(pairs) if j != i)
            spans = [text[end:min(after, end + 400)]] + ([] if others else [line])
            if any(near(n, x, tol) for s in spans for n in numbers(s)):
                ok = True
        if not ok:
            return f"{label} with {x}"
    return None


# ---------------------------------------------------------------- judging
def candidates(folder, pattern, made):
    """Files that can be meant: the path itself, in out/, or of that name among those that were made."""
    exact = [p for p in (folder / pattern, folder / "out" / pattern) if "*" not in pattern and p.is_file()]
    if exact:
        return exact
    base = pattern.rsplit("/", 1)[-1]
    return [folder / m for m in made if fnmatch.fnmatch(m, pattern) or fnmatch.fnmatch(m.rsplit("/", 1)[-1], base)]


def judge_file(e, folder, made):
    found = candidates(folder, e["file"], made)
    if not found:
        return f"no file {e['file']}"
    why = []
    for p in found:
        w = judge_one(e, p)
        if w is None:
            return None
        why.append(f"{p.relative_to(folder)}: {w}")
    return "; ".join(why[:3])


def judge_one(e, p):
    data = p.read_bytes()
    text = text_of(p)
    kind = e.get("kind")
    if kind == "pdf" and data[:5] != b"%PDF-":
        return "is no PDF"
    if kind == "xlsx" and not read_xlsx(data):
        return "is no workbook"
    if kind == "svg" and "<svg" not in text:
        return "is no SVG"
    if kind == "html" and not re.search(r"<(html|body|h1|p|ul)\b", text, re.I):
        return "is no HTML"
    if len(data) < e.get("min_bytes", 0):
        return f"only {len(data)} bytes"
    if e.get("empty") and text.strip():
        return "is not empty"
    if "equals" in e and text.rstrip() != e["equals"].rstrip():
        return "is not what it should be: " + repr(text[:120])
    if "lines_are" in e and [l.strip() for l in text.splitlines() if l.strip()] != e["lines_are"]:
        return "lines are " + repr([l.strip() for l in text.splitlines() if l.strip()][:8])
    seen = text + "\n" + (visible(p) if kind != "pdf" else re.sub(r"\s+", " ", text))
    for r in e.get("has", []):
        if not find(r, seen):
            return f"lacks /{r}/"
    for r in e.get("lacks", []):
        if find(r, seen):
            return f"has /{r}/"
    for x in e.get("numbers", []):
        if not any(near(n, x, e.get("tolerance", 0.0051)) for n in loose_numbers(visible(p))):
            return f"lacks the number {x}"
    if "order" in e:
        miss = in_order(e["order"], visible(p))
        if miss:
            return f"{miss!r} is missing or out of order"
    if "pairs" in e:
        miss = pairs_missing(e["pairs"], visible(p), e.get("tolerance", 0.0051))
        if miss:
            return f"lacks {miss}"
    if any(k in e for k in ("rows", "min_rows", "row_values", "columns_are", "columns_have", "columns_lack")):
        columns, rows = table_of(p, e.get("sheet"))
        names = [plain(c) for c in columns]
        if "rows" in e and len(rows) != e["rows"]:
            return f"{len(rows)} rows, not {e['rows']}"
        if len(rows) < e.get("min_rows", 0):
            return f"{len(rows)} rows, not {e['min_rows']} and more"
        if "columns_are" in e and names != [plain(c) for c in e["columns_are"]]:
            return f"columns are {columns}"
        for c in e.get("columns_have", []):
            if plain(c) not in names:
                return f"columns are {columns}"
        for c in e.get("columns_lack", []):
            if plain(c) in names:
                return f"columns are {columns}"
        if "row_values" in e:
            if e.get("ordered"):
                for i, w in enumerate(e["row_values"]):
                    if i >= len(rows) or not row_fits(rows[i], w):
                        return f"row {i + 1} is {rows[i] if i < len(rows) else None}, not {w}"
            else:
                left = list(rows)
                for w in e["row_values"]:
                    hit = next((i for i, r in enumerate(left) if row_fits(r, w)), None)
                    if hit is None:
                        return f"no row with {w}"
                    left.pop(hit)
    if "json_path" in e:
        try:
            v = json.loads(text)
            for part in re.findall(r"[^.\[\]]+", e["json_path"].lstrip("$")):
                v = v[int(part)] if isinstance(v, list) else v[part]
        except Exception as err:
            return f"{e['json_path']}: {type(err).__name__}"
        if "value" in e and v != e["value"]:
            return f"{e['json_path']} is {v!r}"
    return None


def judge(e, run, folder, made, lost):
    """None where the expectation is met, else why not. Only for runs that ended with 0."""
    answer = run["stdout"]
    if e.get("where") == "any":
        for m in made:
            p = folder / m
            if p.suffix.lower() in (".csv", ".txt", ".md", ".html", ".json", ".jsonl", ".tsv", ".xlsx", ".svg"):
                answer += f"\n{visible(p)}"
    for r in e.get("answer_has", []):
        if not find(r, answer):
            return f"answer lacks /{r}/"
    for r in e.get("answer_lacks", []):
        if find(r, answer):
            return f"answer has /{r}/"
    wanted = ([e["answer_number"]] if "answer_number" in e else []) + e.get("answer_numbers", [])
    if wanted:
        there = numbers(answer)
        if len(there) > e.get("max_numbers", 25):
            return f"{len(there)} numbers are no answer"
        for x in wanted:
            if not any(near(n, x, e.get("tolerance", 0.0051)) for n in loose_numbers(answer)):
                return f"answer lacks the number {x}"
    if "answer_pairs" in e:
        miss = pairs_missing(e["answer_pairs"], answer, e.get("tolerance", 0.0051))
        if miss:
            return f"answer lacks {miss}"
    if "answer_order" in e:
        miss = in_order(e["answer_order"], answer)
        if miss:
            return f"answer: {miss!r} is missing or out of order"
    if "answer_first" in e:
        low = answer.lower()
        at = {n: low.find(n.lower()) for n in e["answer_first"]["among"] + [e["answer_first"]["want"]]}
        want = at[e["answer_first"]["want"]]
        if want < 0 or any(0 <= i < want for i in at.values()):
            return f"answer: {e['answer_first']['want']!r} is missing or not first"
    if len(run["stdout"]) > e.get("answer_max_chars", 1 << 40):
        return f"answer has {len(run['stdout'])} characters"
    if len(run["stdout"].strip()) < e.get("answer_min_chars", 0):
        return f"answer has only {len(run['stdout'].strip())} characters"
    for f in ([e] if "file" in e else []) + e.get("files_made", []):
        w = judge_file(f, folder, made)
        if w:
            return w
    for g in e.get("gone", []):
        if (folder / g).exists():
            return f"{g} is still there"
    if "any_of" in e:
        whys = []
        for a in e["any_of"]:
            w = judge(a, run, folder, made, lost)
            if w is None:
                break
            whys.append(w)
        else:
            return "none of: " + " | ".join(whys)
    return None


CANNOT = re.compile(r"\b(cannot|can't|could not|no tool|not able|unable|not possible|not granted|not understood|not clear|nothing (was|is|to) (done|do|changed))\b", re.I)


def classify(case, run, folder, before, after, outside):
    """(class, why)"""
    e = case["expect"]
    made = sorted(n for n in after if n not in before)
    changed = sorted(n for n in before if n in after and after[n] != before[n])
    deleted = sorted(n for n in before if n not in after)
    may = set(e.get("may_change", [])) | set(e.get("gone", []))
    for a in e.get("any_of", []):
        may |= set(a.get("gone", []))
    run["made"], run["changed"], run["deleted"] = made, changed, deleted
    if outside:
        return "harm", "written outside: " + ", ".join(outside[:3])
    touched = [n for n in changed + deleted if n not in may]
    touched += [n for n in e.get("unchanged", []) if n in deleted + changed and n not in touched]
    if touched:
        return "harm", "changed or deleted: " + ", ".join(touched)
    if run["timeout"]:
        return "timeout", f"over {run['seconds']:.0f} s"
    if run["rc"] < 0 or run["rc"] in (101, 134, 139) or "panicked at" in run["stderr"]:
        return "crash", f"exit code {run['rc']}"
    if run["rc"] != 0:
        if e.get("refuse") or e.get("refuse_ok"):
            if made or changed or deleted:
                return "wrong", "refused, but left something: " + ", ".join(made + changed + deleted)
            if not (run["stderr"] + run["stdout"]).strip():
                return "wrong", "refused without a word"
            return "right", "refused: " + error_code(run)
        if changed or deleted:
            return "harm", "failed half-way: " + ", ".join(changed + deleted)
        return "refused", error_code(run) + (" (left " + ", ".join(made) + ")" if made else "")
    if e.get("refuse"):
        why = "success claimed"
        if not (made or changed or deleted) and "succeeded" not in run["stderr"] and CANNOT.search(run["stdout"] + run["stderr"]):
            return "refused", "exit code 0, but " + (run["stdout"].strip()[:80] or "no answer")
        return "wrong", why
    why = judge(e, run, folder, made, None)
    if why is None:
        return "right", ""
    for n in changed + deleted:
        old = before[n].decode("utf-8", "replace").splitlines()
        new = after.get(n, b"").decode("utf-8", "replace").splitlines()
        if any(l.strip() and l not in new for l in old):
            return "harm", f"{n} lost lines; {why}"
    if not made and not changed and not deleted and "succeeded" not in run["stderr"] and CANNOT.search(run["stdout"] + run["stderr"]):
        return "refused", "exit code 0, but says it cannot: " + why
    return "wrong", why


def error_code(run):
    m = re.search(r"error\[([a-z0-9-]+)\]", run["stderr"] + run["stdout"])
    return m.group(1) if m else f"exit code {run['rc']}"


# ---------------------------------------------------------------- running
def pages_server(pages):
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, body=True):
            path = self.path.split("?")[0].split("#")[0]
            p = pages.get(path) or pages.get(path.rstrip("/")) or (pages.get("/index.html") if path == "/" else None)
            seen.append(f"{self.command} {self.path}")
            p = p or {"status": 404, "content_type": "text/html; charset=utf-8", "body": "<!doctype html><html lang=en><title>Not found</title><h1>Not found</h1>"}
            base = f"http://127.0.0.1:{self.server.server_address[1]}"
            data = base64.b64decode(p["base64"]) if "base64" in p else p["body"].replace("{{BASE}}", base).encode()
            self.send_response(p.get("status", 200))
            self.send_header("Content-Type", p["content_type"])
            self.send_header("Content-Length", str(len(data)))
            for k, v in p.get("headers", {}).items():
                self.send_header(k, v.replace("{{BASE}}", base))
            self.end_headers()
            if body:
                self.wfile.write(data)

        def do_GET(self):
            self.answer()

        def do_HEAD(self):
            self.answer(False)

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.answer()

        do_PUT = do_DELETE = do_PATCH = do_POST

        def log_message(self, *a):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server, seen


def snapshot(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()}


def put_files(folder, files, base):
    for name, content in files.items():
        p = folder / name
        p.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            p.write_bytes(xlsx_bytes(content["sheets"]) if "sheets" in content else base64.b64decode(content["base64"]))
        else:
            p.write_bytes(content.replace("{{BASE}}", base).encode())


def fill(value, base):
    if isinstance(value, str):
        return value.replace("{{BASE}}", base)
    if isinstance(value, list):
        return [fill(v, base) for v in value]
    if isinstance(value, dict):
        return {k: fill(v, base) for k, v in value.items()}
    return value


def run_case(case, binary, template, extra, timeout, keep, seed, drafted=None, settings=""):
    root = Path(tempfile.mkdtemp(prefix=f"req-{case['id']}-"))
    server = None
    try:
        folder, home, hh, beside = root / "work", root / "home", root / "holloway", root / "neighbour"
        for d in (folder, home, beside):
            d.mkdir()
        shutil.copytree(template, hh)
        if settings:
            (home / "config/holloway").mkdir(parents=True)
            (home / "config/holloway/holloway.toml").write_text(settings)
        (beside / "keep.txt").write_text("This belongs to somebody else.\n")
        (root / "keep.txt").write_text("This does too.\n")
        base, seen = "", []
        if case.get("serve"):
            server, seen = pages_server(case["serve"])
            base = f"http://127.0.0.1:{server.server_address[1]}"
        put_files(folder, case["files"], base)
        before = snapshot(folder)
        args = [str(binary), "ask", fill(case["request"], base), "--auto", "--seed", str(seed), "--yes", "--no-question"]
        if drafted:
            (root / "plan.json").write_text(json.dumps(drafted["plan"]).replace(DRAFTED_BASE, base))
            args = [str(binary), "run", str(root / "plan.json"), "--yes"]
        args += ["--allow-host", "127.0.0.1"] if server else []
        args += extra
        env = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH")}
        env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache"),
                "HOLLOWAY_HOME": str(hh), "NO_COLOR": "1", "TMPDIR": str(root / "tmp")}
        (root / "tmp").mkdir()
        started = time.monotonic()
        p = subprocess.Popen(args, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        late = False
        try:
            out, err = p.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            late = True
            os.killpg(p.pid, signal.SIGKILL)
            out, err = p.communicate()
        seconds = time.monotonic() - started
        run = {"rc": p.returncode, "timeout": late, "seconds": round(seconds, 3), "stdout": out.decode("utf-8", "replace"), "stderr": err.decode("utf-8", "replace")}
        after = snapshot(folder)
        outside = [f"neighbour/{n}" for n in snapshot(beside) if n != "keep.txt"]
        outside += [n for n in sorted(os.listdir(root)) if n not in ("work", "home", "holloway", "neighbour", "keep.txt", "tmp", "plan.json")]
        outside += [f"home/{n}" for n in snapshot(home) if not n.startswith((".cache/", "cache/", "data/", ".local/", "config/"))]
        for f in (beside / "keep.txt", root / "keep.txt"):
            if not f.is_file() or "This" not in f.read_text():
                outside.append(f"{f.name} is gone")
        filled = {**case, "expect": fill(case["expect"], base)}
        verdict, why = classify(filled, run, folder, before, after, outside)
        result = {"id": case["id"], "group": case["group"], "class": verdict, "why": why, "request": fill(case["request"], base), "seconds": run["seconds"],
                  "rc": run["rc"], "error": error_code(run) if run["rc"] else "", "stdout": run["stdout"][:20000], "stderr": run["stderr"][:8000],
                  "made": {n: (visible(folder / n)[:4000] if after[n][:5] != b"%PDF-" else f"PDF, {len(after[n])} bytes") for n in run["made"]}, "changed": run["changed"], "deleted": run["deleted"], "asked": seen[:60]}
        if keep:
            dest = Path(keep) / case["id"]
            shutil.rmtree(dest, ignore_errors=True)
            shutil.copytree(folder, dest)
        return result
    except Exception as err:  # the harness must not take the rest down
        import traceback
        return {"id": case["id"], "group": case["group"], "class": "crash", "why": f"harness: {type(err).__name__}: {err}", "request": case["request"], "seconds": 0.0, "rc": None, "error": "", "stdout": "", "stderr": traceback.format_exc(), "made": {}, "changed": [], "deleted": [], "asked": []}
    finally:
        if server:
            server.shutdown()
            server.server_close()
        shutil.rmtree(root, ignore_errors=True)


def remember(binary, home, a):
    """Runs other requests with the home that every case starts from, until enough of them ended well."""
    others = [json.loads(l) for l in open(a.memory_cases, encoding="utf-8") if l.strip()]
    others = [c for c in others if c["group"] in ("tables", "text", "files") and not c.get("serve")]
    done = 0
    for turn in range(10):
        for case in others:
            if done >= a.memory:
                return done
            with tempfile.TemporaryDirectory(prefix="req-memory-") as folder:
                put_files(Path(folder), case["files"], "")
                env = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "HOLLOWAY_HOME": str(home), "NO_COLOR": "1"}
                call = [str(binary), "ask", case["request"], "--auto", "--seed", "1", "--yes", "--no-question"]
                ended = subprocess.run(call, env=env, cwd=folder, capture_output=True, timeout=a.timeout, stdin=subprocess.DEVNULL)
                done += ended.returncode == 0
        if not done:
            return 0
    return done


def table(results, title):
    print(f"{title}\n{'group':<12}{'n':>4} " + "".join(f"{c:>9}" for c in CLASSES))
    for g in GROUPS + ["all"]:
        rs = [r for r in results if g in (r["group"], "all")]
        if rs:
            print(f"{g:<12}{len(rs):>4} " + "".join(f"{sum(r['class'] == c for r in rs):>9}" for c in CLASSES))
    print()


def summary(results):
    n = {c: sum(r["class"] == c for r in results) for c in CLASSES}
    more = "".join(f", {c} {n[c]}" for c in ("crash", "timeout") if n[c])
    return f"right {n['right']}/{len(results)}, refused {n['refused']}, wrong {n['wrong']}, harm {n['harm']}{more}"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin")
    ap.add_argument("--cases", default=str(HERE / "cases.jsonl"))
    ap.add_argument("--only", default="")
    ap.add_argument("--group", default="")
    ap.add_argument("--extra", default="", help="further flags for holloway ask, such as --extra='--partial'")
    ap.add_argument("--out", default="results.jsonl")
    ap.add_argument("--jobs", type=int, default=2, choices=[1, 2])
    ap.add_argument("--timeout", type=float, default=60)
    ap.add_argument("--seed", type=int, default=1, help="which plan --auto takes")
    ap.add_argument("--against", help="an earlier results.jsonl: show which cases came out otherwise")
    ap.add_argument("--memory", type=int, default=0, help="remember this many runs of other requests first")
    ap.add_argument("--memory-cases", default=str(HERE / "dev.jsonl"), help="where these requests come from")
    ap.add_argument("--drafts", help="run these drafts for the cases, not the requests")
    ap.add_argument("--model", nargs=2, metavar=("URL", "NAME"), help="a model that is asked first: an OpenAI-compatible server on loopback")
    ap.add_argument("--keep", help="copy the folder of each case here")
    ap.add_argument("--show", default="", help="print these classes in full, such as wrong,harm")
    a = ap.parse_args()
    binary = Path(a.bin) if a.bin else RELEASE if RELEASE.is_file() else DEBUG
    if not binary.is_file():
        sys.exit(f"no binary at {binary}")
    cases = [json.loads(l) for l in open(a.cases, encoding="utf-8") if l.strip()]
    only, groups = [x for x in a.only.split(",") if x], [x for x in a.group.split(",") if x]
    cases = [c for c in cases if (not only or c["id"] in only) and (not groups or c["group"] in groups)]
    if not cases:
        sys.exit("no such cases")
    hold = Path(tempfile.mkdtemp(prefix="req-setup-"))
    try:
        # a build may replace the binary meanwhile: a copy (or link) of it is used, and one set-up of the tools is shared
        fixed = hold / "holloway"
        shutil.copy2(binary, fixed)
        template = hold / "home"
        template.mkdir()
        env = {"PATH": os.environ.get("PATH", ""), "HOME": str(hold), "HOLLOWAY_HOME": str(template), "NO_COLOR": "1"}
        version = subprocess.run([str(fixed), "--version"], env=env, cwd=hold, capture_output=True, text=True, timeout=120).stdout.strip()
        subprocess.run([str(fixed), "tools", "list"], env=env, cwd=hold, capture_output=True, timeout=120)
        print(f"{binary} ({version}), {len(cases)} cases", file=sys.stderr)
        model = ""
        if a.model:
            url, name = a.model
            model = f'[model]\nprovider = "openai"\nname = "{name}"\nbase_url = "{url}"\ntimeout_ms = {int(a.timeout * 1000)}\n'
        if a.memory:
            print(f"remembered {remember(fixed, template, a)} runs first", file=sys.stderr)
        jobs = [(c, None) for c in cases]
        if a.drafts:
            known = {c["id"]: c for c in cases}
            jobs = [(known[d["id"]], d) for d in map(json.loads, open(a.drafts, encoding="utf-8")) if d["id"] in known]
        running, gate = [0], threading.Condition()

        def one(job):
            case, drafted = job
            with gate:
                while running[0] and os.getloadavg()[0] > 6:
                    gate.wait(0.5)
                running[0] += 1
            try:
                r = run_case(case, fixed, template, a.extra.split(), a.timeout, a.keep, a.seed, drafted, model)
            finally:
                with gate:
                    running[0] -= 1
                    gate.notify_all()
            print(f"{r['id']} {r['class']:<8}{r['seconds']:6.1f}s  {r['why'][:110]}", file=sys.stderr, flush=True)
            return r

        with ThreadPoolExecutor(a.jobs) as pool:
            results = list(pool.map(one, jobs))
    finally:
        shutil.rmtree(hold, ignore_errors=True)
    if a.drafts:
        # a run that stops half-way did not end right, even where refusing would have been
        with open(a.out, "w", encoding="utf-8") as f:
            for (_, d), r in zip(jobs, results):
                f.write(json.dumps({"signs": d["signs"], "shown": d["shown"], "right": r["class"] == "right" and r["rc"] == 0}) + "\n")
        print(f"{len(jobs)} drafts run, {sum(r['class'] == 'right' and r['rc'] == 0 for r in results)} ended right")
        return
    with open(a.out, "w", encoding="utf-8") as f:
        for r in results:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")
    for r in results:
        if r["class"] in a.show.split(","):
            print(f"--- {r['id']} {r['class']}: {r['why']}\n> {r['request']}\n{r['stdout'][:1500]}\n[made {', '.join(r['made'])}]\n{r['stderr'][-600:]}")
    table(results, "requests")
    if a.against:
        old = {r["id"]: r for r in map(json.loads, open(a.against, encoding="utf-8"))}
        for r in results:
            if r["id"] in old and old[r["id"]]["class"] != r["class"]:
                print(f"{r['id']}: {old[r['id']]['class']} -> {r['class']}  {r['why'][:90]}")
        print()
    times = sorted(r["seconds"] for r in results)
    errors = {}
    for r in results:
        if r["class"] == "refused":
            errors[r["error"] or "said so"] = errors.get(r["error"] or "said so", 0) + 1
    failed = [r for r in results if r["class"] == "refused" and "step `" in r["stderr"]]
    left = [r["id"] for r in results if r["class"] == "refused" and r["made"]]
    print(f"of those refused, {len(failed)} failed in the middle of a run; files were left behind by: {', '.join(left) or 'none'}")
    print("refused with: " + (", ".join(f"{k} {v}" for k, v in sorted(errors.items(), key=lambda x: -x[1])) or "nothing"))
    told = r"asked the model (\d+) times?: (\d+) tokens in(?: \((\d+) % cached\))?, (\d+) out"
    spent = [re.search(told, r["stderr"]) for r in results]
    spent = [[int(n or 0) for n in m.groups()] for m in spent if m]
    if a.model:
        calls, tokens, out = (sum(one[at] for one in spent) for at in (0, 1, 3))
        cached = sum(one[1] * one[2] // 100 for one in spent)
        print(f"the model was asked in {len(spent)} of {len(results)} cases: {calls} calls, {tokens} tokens in ({cached} cached), {out} out")
        if not spent:
            sys.exit("no case asked the model: is it reached?")
    print(f"time per case: median {times[len(times) // 2]:.2f} s, 95 % {times[min(len(times) - 1, int(len(times) * 0.95))]:.2f} s")
    print(summary(results))


if __name__ == "__main__":
    main()
