"""The structured data of a page: JSON-LD, microdata, RDFa Lite and meta elements, as nodes of one shape."""

from turbohtml import Document

from pipeline.extract.facts import Facts
from pipeline.extract.structured.json_ld import json_ld, load_json
from pipeline.extract.structured.microdata import microdata
from pipeline.extract.structured.nodes import Item, Node, Source, Value, as_list, types_of
from pipeline.extract.structured.opengraph import opengraph
from pipeline.extract.structured.rdfa import rdfa

__all__ = ["Item", "Node", "Source", "Value", "as_list", "load_json", "read_sources", "types_of"]


def read_sources(document: Document, facts: Facts) -> tuple[Source, ...]:
    """Every notation that the page has, in order of trust."""
    sources = [json_ld(document)]
    if document.select_one("[itemscope],[typeof]") is not None:  # one look for both: each goes through the whole page
        sources += [microdata(document, facts), rdfa(document)]
    sources.append(opengraph(document))
    return tuple(source for source in sources if source.items)
