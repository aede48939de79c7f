"""English."""

from pipeline.normalize.languages.base import COUNT, DAY, YEAR, Language, chain, counters

__all__ = ["ENGLISH"]

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ON_WEEKDAY = rf"(?:(?:{_WEEKDAY}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun),? )?"
_NTH = f"{DAY}(?:st|nd|rd|th)?"
_AGO = chain(
    "an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|few|several|a couple(?: of)?",
    "seconds?|secs?|minutes?|mins?|months?|mos?|hours?|hrs?|days?|weeks?|wks?|quarters?|qtrs?|years?|yrs?|[smhdwy]",
    ",? and|,|",
)

ENGLISH = Language(
    code="en",
    past=rf"(?:(?:about|around|almost|nearly|approximately|over|more than|less than) |~ ?)?{_AGO} ago",
    vague="just now|(?:an? |a few )?moments? ago|yesterday|last (?:night|week|month|year)",
    date=(
        rf"{_ON_WEEKDAY}{_NTH}(?: of)? {_MONTH}(?:,? {YEAR})?|{_MONTH} {YEAR}"
        rf"|{_ON_WEEKDAY}{_MONTH} {_NTH}(?:,? {YEAR})?|{_WEEKDAY}|today"
    ),
    updated=(
        "updated|last update|modified|edited|published|posted|generated|"
        "last (?:revised|reviewed|changed|refreshed|checked|saved)"
    ),
    between="on|at|the|date|time|of|was|is|this|page",
    by="by",
    binding=(
        "effective|in force|into force|appl(?:y|ies|icable)|valid(?:ity)?|expir(?:y|es?|ed|ing|ation)|until|till|"
        "through|clos(?:es?|ed|ing)|deadlines?|due|starts?|starting|begins?|ends?|ending|from|since|open(?:s|ing)?|"
        "hours"
    ),
    limits=(
        "more than|less than|over|older than|at least|at most|up to|min(?:imum)?|max(?:imum)?|limit(?:ed)?|within|"
        "only|per|each|every"
    ),
    watched=(
        rf"{COUNT} (?:other )?(?:people|persons?|users?|visitors?|customers?|shoppers?|guests?)"
        "(?: (?:are|is|have|has))?(?: (?:currently|also|recently|just|already))?"
        " (?:viewing|viewed|watching|looking(?: at)?|browsing|reading|bought|purchased)(?: (?:this|it))?"
        rf"|{COUNT} (?:viewing|watching|browsing) (?:this|now|right now)"
    ),
    counted=counters("(?:page ?)?views?|viewers?|comments?|replies|followers?|subscribers?|upvotes?|retweets?"),
    doubtful=counters(
        "likes?|shares?|reads?|hits|visits?|visitors?|downloads?|plays|listens|impressions?|votes?|reactions?|"
        "answers?|reviews?|ratings?"
    ),
    rights="copyright|all rights reserved",
)
