"""Small PDFs written by hand, so that no test needs a writer of its own."""

from collections.abc import Sequence

__all__ = ["pdf"]


def pdf(*pages: Sequence[str], title: str = "", language: str = "") -> bytes:
    """A PDF in Helvetica, a line of ASCII a line, with a valid table of its objects."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{f'/Lang({language})' if language else ''}>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for n, lines in enumerate(pages):
        shown = "".join(f"({line}) Tj T* " for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 50 750 Td {shown}ET"
        content = f"{5 + 2 * n} 0 R"
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {content}>>",
            f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        ]
    if title:
        objects.append(f"<</Title({title})>>")
    out, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj{text}endobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    info = f"/Info {len(objects)} 0 R" if title else ""
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    trailer = f"trailer<</Size {len(objects) + 1}/Root 1 0 R{info}>>\nstartxref\n{len(out)}\n%%EOF"
    return (out + head + table + trailer).encode()
