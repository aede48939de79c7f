# ruff: noqa: E501, RUF001 - tables of words in many scripts
"""What people read above a list of related pages, in a consent layer, and in a copyright line, language by language.

A heading is matched at its start, whatever stands before the first letter; `~` is any words between two phrases.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import re2

__all__ = ["CONSENT_TOPIC", "CONSENT_VERB", "COPYRIGHT_SIGN", "RELATED_HEADING"]

_THINGS: Mapping[str, str] = {
    "en": "posts?|articles?|stories|story|news|recipes?|products?|items?|content|topics?|reading|videos?|links?|pages?|searches|guides?|reads?|resources|questions",
    "more": "from|for you|like this|on this|in|about|to explore|to read|great",
}

_RELATED: Mapping[str, str] = {
    "en": (
        rf"(?:the )?(?:most )?(?:related|recommended|similar|suggested|popular|trending|most read|most viewed|latest|recent|more)(?: (?:{_THINGS['en']}|{_THINGS['more']})\b|[^\w\n]*$)"
        r"|you (?:may|might|could|will|'ll) (?:also )?(?:like|love|enjoy|be interested)|recommended for|see also|read (?:next|more|also)|up next|what to read|don'?t miss|people also|customers (?:also|who)"
        r"|more (?:to|great|like|from|in|on|news|stories)\b|further reading|also (?:on|in|of interest)\b|explore more|discover more|keep reading|try (?:these|our other)|other recipes|follow us|share this|most popular|trending|sign up|subscribe|newsletter|advertisement|sponsored"
    ),
    "de": "mehr (?:zum thema|aus|von|artikel|nachrichten|rezepte|zu)|weitere|ähnliche|verwandte|das könnte|lesen sie (?:auch|mehr)|auch interessant|passend dazu|meistgelesen|beliebt|empfohlen|empfehlungen|neueste|aktuelle|zum thema|kunden kauften|anzeige",
    "fr": "à lire aussi|a lire aussi|lire aussi|sur le même (?:thème|sujet)|vous aimerez|vous pourriez|articles? (?:similaires?|liés|connexes|associés|récents|les plus)|autres articles|à (?:voir|découvrir) aussi|recettes? (?:similaires?|associées)|les plus lus|nos (?:autres|dernier)|recommandations|dans la même|pour aller plus loin|derniers articles|plus (?:d'articles|de)\\b",
    "es": "relacionad[oa]s?|(?:noticias|artículos|contenidos?|entradas|temas|productos|recetas) (?:relacionad|similar|reciente)|otr[oa]s (?:artículos|noticias|recetas|temas|productos)|te (?:puede|podría)|también te|quizá|lo más (?:leído|visto)|últimas|recomendad[oa]s?|ver también|más (?:noticias|sobre)",
    "pt": "(?:artigos|notícias|receitas|conteúdos?|posts|produtos) (?:relacionad|similar|recente)|outr[oa]s (?:artigos|notícias|receitas|produtos)|você (?:também )?pode|veja (?:também|mais)|leia (?:também|mais)|os mais|mais lid[oa]s|sobre o mesmo|saiba mais|recomendad[oa]s?|v[ií]deos recomendados",
    "it": "correlati|articoli (?:correlati|simili|recenti)|altr[ie] (?:articoli|ricette|notizie)|leggi anche|potrebbe(?:ro)? (?:interessar|piacer)|ricette (?:simili|correlate)|ti potrebbe|i più letti|da non perdere|consigliati|ultime",
    "nl": "gerelateerd|meer (?:over|nieuws|lezen|recepten|artikelen|van|uit|om|zoals)|andere (?:artikelen|recepten|producten)|lees (?:ook|meer|verder)|ook interessant|aanbevolen|misschien (?:vind|ook)|bekijk ook|populair|meest gelezen|vergelijkbare|soortgelijk|probeer ook",
    "sv": "relaterade?|läs (?:mer|också|även)|mera? (?:om|från|recept)|mest (?:läst|populära)|liknande|du (?:kanske|kan också)|populära|rekommenderat|fler recept|andra (?:artiklar|läser|gillar)",
    "nb": "relatert|les (?:også|mer)|mer (?:om|fra)|mest lest|lignende|du (?:vil kanskje|kan også)|anbefalt|flere oppskrifter",
    "da": "relaterede?|læs (?:også|mere)|mere (?:om|fra)|mest læst|lignende|andre (?:artikler|læser)|anbefalet|flere opskrifter",
    "fi": "liittyvät|lue (?:myös|lisää)|suositellut|samankaltais|katso myös|muut (?:artikkelit|uutiset)|luetuimmat",
    "pl": "powiązane|podobne|zobacz (?:też|także|również)|czytaj (?:też|także|również|więcej)|polecan|warto przeczytać|może (?:cię|ci)|najpopularniejsze|najczęściej czytane|ostatnie wpisy|inne artykuły",
    "cs": "související|podobné|mohlo by|čtěte|další články|nejčtenější",
    "sk": "súvisiace|podobné|mohlo by|čítajte|ďalšie články|najčítanejšie",
    "hu": "kapcsolódó|ajánlott|hasonló|olvasd|legolvasottabb|további cikkek",
    "ro": "citește și|articole similare|recomandat|te-ar putea|cele mai citite",
    "tr": "ilgili|benzer|önerilen|bunlar(?:ı)? da|popüler|en çok okunan|ayrıca|diğer (?:haber|makale)",
    "el": "σχετικ|διαβάστε|δείτε (?:επίσης|ακόμη)|δημοφιλή",
    "ru": "читайте|похожие|смотрите также|вам может|по теме|рекомендуем|популярное|ещё по теме|другие (?:новости|рецепты|статьи)",
    "uk": "читайте|схожі|ще за темою|інші (?:новини|статті)|популярне",
    "ja": "関連|おすすめ|お勧め|オススメ|あわせて読みたい|合わせて読みたい|こちらも|人気|ランキング|最新|新着|この記事を読んだ|同じカテゴリ",
    "zh": "相关|相關|推荐|推薦|热门|熱門|猜你喜欢|猜你喜歡|延伸阅读|延伸閱讀|更多|最新|大家都在看|你可能|您可能",
    "ko": "관련|추천|인기|함께|이런|많이 본|최신",
    "ar": "ذات (?:ال)?صلة|مقالات|مواضيع|اقرأ أيض|إقرأ|قد يعجبك|المزيد|الأكثر|شاهد أيض",
    "fa": "مرتبط|مطالب|پیشنهاد",
    "he": "קשורים|מומלץ|אולי יעניין|עוד ב",
    "hi": "संबंधित|सम्बंधित|यह भी पढ़ें",
    "bn": "সম্পর্কিত|আরও পড়ুন",
    "vi": "liên quan|có thể bạn|xem thêm|đọc thêm|bài viết liên quan",
    "id": "terkait|baca juga|artikel (?:lain|terkait)|terpopuler",
    "th": "เกี่ยวข้อง|บทความที่เกี่ยวข้อง|แนะนำ|น่าสนใจ",
}

_COOKIES: Mapping[str, str] = {
    "latin": "cookie|kakor|sušenk|çerez|ciasteczk|plików|informasjonskaps|evästee|traceurs|trackers",
    "cyrillic": "кук[иі]|cookie",
    "cjk": "クッキー|쿠키",
    "arabic": "ملفات تعريف الارتباط|کوکی",
    "hebrew": "עוגיות",
    "thai": "คุกกี้",
}

_AGREE: Mapping[str, str] = {
    "en": r"\b(?:accept|agree|allow|reject|decline|got it|ok|manage|preferences|settings|deny)",
    "de": r"\b(?:akzeptier|zustimm|ablehn|einstellung|alle)",
    "fr": r"\b(?:accepter|refuser|param[eé]tr|continuer)",
    "es": r"\b(?:aceptar|rechazar|configurar)",
    "pt": r"\b(?:aceitar|rejeitar)",
    "it": r"\b(?:accetta|rifiuta)",
    "nl": r"\b(?:accepteer|weiger|toestaan)",
    "nordic": r"\b(?:godta|godkänn|acceptera|avvis|tillad|hyväksy)",
    "central": r"\b(?:akceptuj|zgod|odrzuć|přijmout|prijať|elfogad|acceptă|kabul)",
    "cyrillic": r"принять|согласен|прийняти|погоджу",
    "cjk": "同意|接受|承諾|受け入れ|許可|동의",
    "arabic": "قبول|موافق|پذیرش",
    "other": "אישור|ยอมรับ|chấp nhận|αποδοχή|स्वीकार|setuju",
}


def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    return re2.compile(pattern, options)


def _any(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


RELATED_HEADING = _compile(rf"(?m)^[^\pL\n]*(?:{_any(_RELATED.values())})")
"""Matches at the start of a line that heads related pages, shares, subscriptions or advertisements."""

CONSENT_TOPIC = _compile(_any(_COOKIES.values()))
"""Found in a text about cookies."""

CONSENT_VERB = _compile(_any(_AGREE.values()))
"""Found in the buttons of a consent layer."""

COPYRIGHT_SIGN = _compile(r"©|℗|\(c\)|copyright")
"""Found in a copyright line."""
