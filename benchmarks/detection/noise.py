"""Controlled noise on a real page: what changes from fetch to fetch though nothing happened, and edits of known size.

A page gets 0 to 3 modules that show 3 to 8 of 20, or of all, headlines of other pages and change in 9 of 10 fetches; in
3 of 10 pages one more block that rotates in the flow of the text, on its path; 1 to 5 blocks with a number or an id
that change in 7 of 10 fetches; in half of the pages a banner of two blocks that 3 of 10 fetches show; in 3 of 10 pages
a run of four blocks that half of the fetches shuffle; and in 1 of 100 fetches a block that was never seen before.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["EDITS", "HEADLINE_WORDS", "Edit", "Fetch", "NoisyPage", "Text"]

Text = tuple[str, str]
"""(tag path, visible text) of one block."""

Edit = str | int
EDITS: tuple[Edit, ...] = ("number", 1, 3, 10, 30, 100)
"""One number, or so many words in one place."""

_MODULE_PATHS = ("body/aside/ul/li", "body/div/section/div/a", "body/div/div/ul/li")
_LITERALS = ("%d comments", "updated %d:%02d", "price %d.%02d usd", "%d people are viewing this", "session id: %s")
_EDITABLE_WORDS = 8
_SHUFFLED = 4
HEADLINE_WORDS = range(3, 21)
"""How long a text is that a module can show."""


@dataclass(slots=True)
class _Module:
    place: int
    count: int
    pool: Sequence[str]
    path: str
    shown: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Literal:
    place: int
    form: str
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """One fetch.

    Attributes:
        texts: In reading order.
        edited: The blocks that the edit changed, before and after.
    """

    texts: list[Text]
    edited: frozenset[Text] = frozenset()


class NoisyPage:
    """One page with noise of its own; every fetch and edit follows from the seed."""

    def __init__(self, base: Sequence[Text], headlines: Sequence[str], words: Sequence[str], seed: int) -> None:
        """Choose what of the page is noisy.

        Args:
            base: The page.
            headlines: Short texts of all pages; the page's own are left out.
            words: To edit with.
            seed: Of everything.
        """
        self._base = list(base)
        self._words = words
        self._random = g = random.Random(seed)  # noqa: S311
        own = {text for _, text in base}
        others = [text for text in headlines if text not in own]
        self._modules = [
            _Module(
                self._place(),
                g.randint(3, 8),
                g.sample(others, 20) if g.random() < 0.6 else others,
                g.choice(_MODULE_PATHS),
            )
            for _ in range(g.choices(range(4), (0.2, 0.3, 0.3, 0.2))[0])
        ]
        if g.random() < 0.3:
            place = self._place()
            self._modules.append(_Module(place, 1, others, self._base[place][0]))
        self._literals = [_Literal(self._place(), g.choice(_LITERALS)) for _ in range(g.randint(1, 5))]
        self._banner = (self._place(), g.sample(others, 2)) if g.random() < 0.5 else None
        self._shuffled = self._shuffled_run() if g.random() < 0.3 else range(0)

    def fetch(self) -> Fetch:
        """The page as it is now."""
        return Fetch(texts=self._with_noise(self._shuffled_base()))

    def edited(self, edit: Edit) -> Fetch | None:
        """The page with an edit that the next fetch has no more; None if it has nothing to edit."""
        texts = self._shuffled_base()
        edited = self._edit(texts, edit)
        return Fetch(texts=self._with_noise(texts), edited=edited) if edited else None

    def _shuffled_base(self) -> list[Text]:
        texts = list(self._base)
        if self._shuffled and self._random.random() < 0.5:
            some = [texts[index] for index in self._shuffled]
            self._random.shuffle(some)
            texts[self._shuffled.start : self._shuffled.stop] = some
        return texts

    def _with_noise(self, texts: list[Text]) -> list[Text]:
        for place, blocks in sorted(self._inserted(), key=lambda one: -one[0]):
            texts[place:place] = blocks
        return texts

    def _place(self) -> int:
        return self._random.randrange(len(self._base))

    def _shuffled_run(self) -> range:
        paths = [path for path, _ in self._base]
        runs = [
            range(start, start + _SHUFFLED)
            for start in range(len(paths) - _SHUFFLED)
            if len(set(paths[start : start + _SHUFFLED])) == 1
        ]
        return self._random.choice(runs) if runs else range(0)

    def _inserted(self) -> list[tuple[int, list[Text]]]:
        g = self._random
        inserted: list[tuple[int, list[Text]]] = []
        for module in self._modules:
            if not module.shown or g.random() < 0.9:
                module.shown = g.sample(module.pool, module.count)
            inserted.append((module.place, [(module.path, text) for text in module.shown]))
        for literal in self._literals:
            if not literal.shown or g.random() < 0.7:
                literal.shown = self._filled(literal.form)
            inserted.append((literal.place, [("body/div", literal.shown)]))
        if self._banner and g.random() < 0.3:
            place, lines = self._banner
            inserted.append((place, [("body/div/div/p", text) for text in lines]))
        if g.random() < 0.01:
            inserted.append((self._place(), [("body/div/div", " ".join(g.sample(self._words, 12)))]))
        return inserted

    def _filled(self, form: str) -> str:
        g = self._random
        if "%s" in form:
            return form % f"{g.getrandbits(64):016x}"
        return form % tuple(g.randrange(10, 59) for _ in range(form.count("%")))

    def _edit(self, texts: list[Text], edit: Edit) -> frozenset[Text]:
        """Edit in place; each block that changed, before and after."""
        places = [
            index
            for index, (_, text) in enumerate(texts)
            if len(text.split()) >= _EDITABLE_WORDS and index not in self._shuffled
        ]
        if edit == "number":
            places = [index for index in places if any(map(str.isdigit, texts[index][1]))] or places
        if not places:
            return frozenset()
        index = self._random.choice(places)
        left = edit if isinstance(edit, int) else 1
        edited: set[Text] = set()
        while left > 0 and index < len(texts):
            path, text = texts[index]
            words = text.split(" ")
            left -= self._change_number(words) if edit == "number" else self._change_words(words, left)
            new = " ".join(words)
            if new != text:
                edited |= {(path, text), (path, new)}
            texts[index] = (path, new)
            index += 1
        return frozenset(edited)

    def _change_number(self, words: list[str]) -> int:
        g = self._random
        places = [index for index, word in enumerate(words) if any(map(str.isdigit, word))]
        if places:
            index = g.choice(places)
            words[index] = re.sub(r"\d+", lambda found: str(int(found.group()[:6]) + 7), words[index])
        else:
            words[g.randrange(len(words))] = str(g.randrange(99))
        return 1

    def _change_words(self, words: list[str], count: int) -> int:
        g = self._random
        start = g.randrange(max(1, len(words) - count + 1))
        end = min(len(words), start + count)
        for index in range(start, end):
            words[index] = g.choice(self._words) + ("" if g.random() < 0.9 else "x")
        return end - start
