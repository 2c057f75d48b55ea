"""What does a request say apart from its literals? Addresses and file names become what kind of thing they are.

`report.xlsx` is about spreadsheets, not about reports being searched for: a person's own names rarely name a tool.
"""

import re

KINDS = {
    extension: words
    for words, extensions in (
        ("excel spreadsheet", "xlsx xls xlsm ods"),
        ("csv table", "csv tsv"),
        ("word document", "docx doc odt rtf"),
        ("powerpoint presentation slides", "pptx ppt odp"),
        ("pdf document", "pdf"),
        ("text", "txt log"),
        ("markdown", "md"),
        ("json", "json jsonl"),
        ("yaml", "yaml yml"),
        ("xml", "xml"),
        ("html web page", "html htm"),
        ("image", "png jpg jpeg gif webp bmp svg heic tiff"),
        ("audio", "mp3 wav ogg flac m4a"),
        ("video", "mp4 mov mkv avi webm"),
        ("archive", "zip tar gz tgz 7z rar"),
        ("database sqlite", "db sqlite sqlite3"),
        ("sql", "sql"),
        ("code", "py js ts tsx jsx rs go java rb c cpp h cs php sh"),
        ("notebook jupyter", "ipynb"),
        ("calendar", "ics"),
        ("config", "toml ini env conf"),
    )
    for extension in extensions.split()
}
OPENING, CLOSING = "\"'([{<`", ".,;:!?)]}>\"'`"
EMAIL = re.compile(r"[\w.+\-]+@[\w\-]+(\.[\w\-]+)+")
PATH = re.compile(r"[\w./~\-]+")


def meant(word):
    """The words that stand for a literal, or None if the word is none."""
    word = word.lower()
    stem, dot, extension = word.rpartition(".")
    kind = f" {extension} {KINDS[extension]}" if dot and extension in KINDS else ""
    if word.startswith(("http://", "https://", "www.")):
        return "url" + kind
    if EMAIL.fullmatch(word):
        return "email address"
    if kind and stem and PATH.fullmatch(word):
        return "file" + kind
    if word.startswith(("/", "~/", "./", "../")) and len(word) > 2:
        return "file path"
    return None


def without_literals(request):
    """The request with each literal replaced; white space and the punctuation around stay."""
    pieces = re.split(r"(\s+)", request)
    for number, piece in enumerate(pieces):
        opened = piece.lstrip(OPENING)
        word = opened.rstrip(CLOSING)
        words = meant(word) if word else None
        if words is not None:
            pieces[number] = piece[: len(piece) - len(opened)] + words + opened[len(word) :]
    return "".join(pieces)
