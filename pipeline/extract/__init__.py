"""A stored body to fields and visible text: the only step that parses markup, once per body.

reading     one body to one `Reading`
document    bytes to what can be read; `media` what it is, `charset` in which encoding
json_text   JSON as text; `feeds`, `plain` and `pdf` (`pdf_pages` in a process of its own) likewise
workers     programs of their own that can be killed
view        which elements need a second look: hidden ones, roles, what the rules name
blocks      the walk: leaf blocks in reading order
text        white space, sentences, words
regions     what part of the page an element is
main_text   trafilatura in a process of its own (`article`)
structured  JSON-LD, microdata, OpenGraph as nodes of one shape; `mending` for broken JSON-LD
facts       the page's own addresses and headings
entities    which node the page is about
properties  raw values in a node; `offers` for prices and stock
elements    the text or address one element stands for
fields      one value for each tracked field
values      raw text to typed value: `prices`, `currencies`, `numerals`, `dates`, `availability`, `typed`
marks       what suggests that this is not the page at all, from its text, its markup and where redirects ended
"""

from pipeline.extract.marks import MARKS, Arrival
from pipeline.extract.reading import EXTRACTOR_VERSION, extract

__all__ = ["EXTRACTOR_VERSION", "MARKS", "Arrival", "extract"]
