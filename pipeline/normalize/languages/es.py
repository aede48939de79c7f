"""Spanish."""

from pipeline.normalize.languages.base import COUNT, DAY, YEAR, Language, chain, counters

__all__ = ["SPANISH"]

_MONTH = (
    "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|setiembre|octubre|noviembre|diciembre|ene|feb|"
    r"mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)\.?"
)
_WEEKDAY = "(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)"
_AGO = chain(
    "una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|poc[oa]s|vari[oa]s|algun[oa]s|un[oa]s",
    "segundos?|segs?|minutos?|mins?|horas?|hrs?|d[ií]as?|semanas?|sems?|mes(?:es)?|años?|[shdm]",
    ",? y|,|",
)

SPANISH = Language(
    code="es",
    past=(
        rf"hace (?:(?:casi|cerca de|m[áa]s de|menos de|aproximadamente|alrededor de|unos|unas) )?{_AGO}"
        rf"|{_AGO} atr[áa]s"
    ),
    vague=(
        "hace (?:unos? )?(?:instantes?|momentos?|poco|rato)|hace un (?:instante|momento|rato)|ahora mismo|ayer|"
        "anteayer|anoche|la semana pasada|el (?:mes|año) pasado"
    ),
    date=(
        rf"(?:{_WEEKDAY},? )?{DAY}[.º]? (?:de )?{_MONTH}(?:,? (?:del? )?{YEAR})?|{_MONTH} (?:de )?{YEAR}"
        rf"|{_WEEKDAY}|hoy"
    ),
    clock=r"[0-9]{1,2}:[0-9]{2} ?(?:horas|hrs|h)\.?",
    updated=(
        "actualizad[oa]s?|actualizaci[óo]n|modificad[oa]s?|modificaci[óo]n|publicad[oa]s?|publicaci[óo]n|editad[oa]s?"
    ),
    between="el|la|las|los|al?|del?|en|d[íi]a|fecha|hora|p[áa]gina|esta|por [úu]ltima vez",
    by="por",
    binding=(
        "vigentes?|vigencia|vigor|efectiv[oa]s?|v[áa]lid[oa]s?|validez|vence|vencimiento|caduca|hasta|desde|a partir|"
        "cierra|cierre|plazo|comienza|empieza|termina|horarios?|abre|abiert[oa]s?"
    ),
    limits=(
        "m[áa]s de|menos de|al menos|como m[áa]ximo|como m[íi]nimo|hasta|m[íi]nim[oa]|m[áa]xim[oa]|s[óo]lo|por|cada"
    ),
    watched=(
        rf"{COUNT} (?:personas?|usuarios?|visitantes?|clientes?)(?: (?:est[áa]n?|han|ya|lo|la))*"
        " (?:viendo|mirando|leyendo|visto|vieron|comprado|compraron)(?: esto)?"
    ),
    counted=counters(
        "visitas?|visualizaci(?:ón|ones)|vistas|lecturas?|comentarios?|seguidor(?:es)?|suscriptor(?:es)?|reproducciones"
    ),
    doubtful=counters("descargas?|me gusta|votos?|opiniones|reseñas?|valoraci(?:ón|ones)|compartidos?|respuestas?"),
    rights="derechos de autor|derechos reservados",
)
