"""Portuguese, of Brazil and of Portugal."""

from pipeline.normalize.languages.base import COUNT, DAY, YEAR, Language, chain, counters

__all__ = ["PORTUGUESE"]

_MONTH = (
    "(?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|jan|fev|mar|abr|mai|"
    r"jun|jul|ago|set|out|nov|dez)\.?"
)
_WEEKDAY = "(?:(?:segunda|terça|quarta|quinta|sexta)-feira|s[áa]bado|domingo)"
_AGO = chain(
    "uma?|dois|duas|tr[êe]s|quatro|cinco|seis|sete|oito|nove|dez|pouc[oa]s|v[áa]ri[oa]s|alguns|algumas|uns|umas",
    "segundos?|segs?|minutos?|mins?|horas?|hrs?|dias?|semanas?|sems?|m[êe]s(?:es)?|anos?|[shdm]",
    ",? e|,|",
)

PORTUGUESE = Language(
    code="pt",
    past=(
        rf"há (?:(?:quase|cerca de|mais de|menos de|aproximadamente|uns|umas) )?{_AGO}(?: atr[áa]s)?"
        rf"|{_AGO} atr[áa]s"
    ),
    vague=(
        "(?:agora )?há (?:um |uns |alguns )?(?:instantes?|momentos?|pouco)|agora mesmo|ontem|anteontem|"
        "(?:na )?semana passada|(?:no )?(?:m[êe]s|ano) passado"
    ),
    date=(
        rf"(?:{_WEEKDAY},? )?{DAY}[.º]? (?:de )?{_MONTH}(?:,? (?:de )?{YEAR})?|{_MONTH} (?:de )?{YEAR}"
        rf"|{_WEEKDAY}|hoje"
    ),
    clock="[0-9]{1,2}h(?:[0-9]{2}(?:min)?)?",
    updated=(
        "atualizad[oa]s?|atualiza[çc][ãa]o|modificad[oa]s?|modifica[çc][ãa]o|publicad[oa]s?|publica[çc][ãa]o|"
        "editad[oa]s?|postad[oa]s?"
    ),
    between="em|no|na|[àa]s|o|a|de|do|da|dia|data|hora|p[áa]gina|esta|pela [úu]ltima vez|por [úu]ltimo",
    by="por",
    binding=(
        "vigentes?|vig[êe]ncia|vigor|efetiv[oa]s?|v[áa]lid[oa]s?|validade|vence|vencimento|at[ée]|a partir|desde|"
        "encerra|encerramento|prazo|come[çc]a|termina|hor[áa]rios?|abre|abert[oa]s?"
    ),
    limits="mais de|menos de|pelo menos|no m[áa]ximo|no m[íi]nimo|at[ée]|m[íi]nim[oa]|m[áa]xim[oa]|apenas|por|cada",
    watched=(
        rf"{COUNT} (?:pessoas?|usu[áa]rios?|utilizadores|visitantes?|clientes?)(?: (?:est[ãa]o|est[áa]|j[áa]|a))*"
        " (?:vendo|ver|olhando|visualizando|lendo|viram|visualizaram|compraram)(?: isto| isso)?"
    ),
    counted=counters("visualiza(?:ção|ções)|acessos?|leituras?|coment[áa]rios?|seguidor(?:es)?|inscritos|curtidas?"),
    doubtful=counters(
        "visitas?|downloads?|votos?|avalia(?:ção|ções)|compartilhamentos?|partilhas?|respostas?|opini(?:ão|ões)"
    ),
    rights="direitos autorais|direitos reservados",
)
