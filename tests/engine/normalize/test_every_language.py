import datetime as dt
import re

import pytest
from babel.dates import format_date

from pipeline.cldr import cldr_words
from pipeline.model import Block, Region
from pipeline.normalize import normalize
from pipeline.normalize.babel_words import babel_words
from pipeline.normalize.languages import languages

DIGITS = {"Arabic": "٠١٢٣٤٥٦٧٨٩", "Persian": "۰۱۲۳۴۵۶۷۸۹", "Hindi": "०१२३४५६७८९", "Bengali": "০১২৩৪৫৬৭৮৯", "full": "０１２３４５６７８９"}  # fmt: skip


def masked(text, language=None, region=Region.MAIN):
    (block,) = normalize([Block(text=text, region=region, path="body/p")], language=language)
    return block.normal


def test_the_file_of_words_is_what_babel_says():
    """After a new babel: `python -m pipeline.normalize.babel_words`."""
    assert cldr_words() == babel_words()


def test_every_relative_past_time_of_every_locale_is_masked():
    left = {form: masked(form.replace("{n}", "13")) for form in cldr_words().past}
    assert {form: text for form, text in left.items() if text != "⟦time⟧"} == {}


@pytest.mark.parametrize("digits", DIGITS.values(), ids=DIGITS)
def test_digits_of_any_script_count(digits):
    number = digits[1] + digits[3]
    for form in ("{n} minutes ago", "منذ {n} دقائق", "{n} घंटे पहले", "{n} মিনিট আগে", "{n} ساعت پیش", "{n}分钟前"):
        assert masked(form.format(n=number)) == "⟦time⟧"
    assert masked(f"Return it within {number} days") == f"Return it within {number} days"


# By language: how pages say it beside CLDR, an update line and its normal form, a counter, who looks at it, and what
# must stay.
SAID = {
    "en": ("2 h ago", "Updated on Mar 3, 2026 at 10:15 AM", "Updated on ⟦date⟧ at ⟦clock⟧", "1.2k views", "12 people are viewing", "Serves 4 people"),
    "de": ("vor über einer Stunde", "Aktualisiert am 3. März 2026 um 10:15 Uhr", "Aktualisiert am ⟦date⟧ ⟦clock⟧", "35.437 Aufrufe", "12 Personen sehen", "Stornierung bis 3 Tage vor Anreise"),
    "fr": ("il y a une heure", "Mis à jour le 1er mars 2026 à 10 h 15", "Mis à jour le ⟦date⟧ à ⟦clock⟧", "2 171 vues", "12 personnes regardent", "valable jusqu'au 3 mars"),
    "es": ("3 días atrás", "Actualizado el 3 de marzo de 2026", "Actualizado el ⟦date⟧", "49.888 visitas", "12 personas están viendo", "dentro de 14 días"),
    "pt": ("3 meses atrás", "Atualizado em 3 de março de 2026 às 10h15", "Atualizado em ⟦date⟧ às ⟦clock⟧", "15 comentários", "12 pessoas estão vendo", "em 14 dias"),
    "it": ("un'ora fa", "Aggiornato il 3 marzo 2026", "Aggiornato il ⟦date⟧", "512 visualizzazioni", "12 persone stanno guardando", "entro 14 giorni"),
    "nl": ("een uur geleden", "Bijgewerkt op 3 maart 2026 om 10:15 uur", "Bijgewerkt op ⟦date⟧ ⟦clock⟧", "66.513 keer bekeken", "12 mensen bekijken", "over 14 dagen"),
    "sv": ("3 dagar sedan", "Uppdaterad den 3 mars 2026", "Uppdaterad den ⟦date⟧", "52 515 visningar", "12 personer tittar", "om 14 dagar"),
    "da": ("en time siden", "Opdateret 3. marts 2026 kl. 10.15", "Opdateret ⟦date⟧ ⟦clock⟧", "512 visninger", "12 personer kigger", "om 14 dage"),
    "nb": ("2 timer siden", "Oppdatert 3. mars 2026", "Oppdatert ⟦date⟧", "512 visninger", "12 personer ser på", "om 14 dager"),
    "pl": ("26 minut temu", "Opublikowano 3 marca 2026, godz. 10:15", "Opublikowano ⟦date⟧, ⟦clock⟧", "45 818 wyświetleń", "12 osób ogląda", "za 14 dni"),
    "cs": ("před hodinou", "Aktualizováno 3. března 2026", "Aktualizováno ⟦date⟧", "512 zobrazení", "12 lidí sleduje", "za 14 dní"),
    "sk": ("pred 3 dňami", "Aktualizované 3. marca 2026", "Aktualizované ⟦date⟧", "512 zobrazení", "12 ľudí sleduje", "o 14 dní"),
    "hu": ("3 nappal ezelőtt", "Frissítve: 2026. március 3. 10:15", "Frissítve: ⟦date⟧ ⟦clock⟧", "512 megtekintés", "12 ember nézi", "14 nap múlva"),
    "ro": ("acum o oră", "Actualizat la 3 martie 2026", "Actualizat la ⟦date⟧", "512 vizualizări", "12 persoane privesc", "peste 14 zile"),
    "fi": ("3 päivää sitten", "Päivitetty 3.3.2026 klo 10.15", "Päivitetty ⟦date⟧ ⟦clock⟧", "512 katselukertaa", "12 henkilöä katsoo", "14 päivän päästä"),
    "tr": ("3 gün önce", "Son güncelleme: 3 Mart 2026", "Son güncelleme: ⟦date⟧", "512 görüntülenme", "12 kişi bakıyor", "14 gün sonra"),
    "ru": ("5 минут назад", "Обновлено 3 марта 2026 г. в 10:15", "Обновлено ⟦date⟧ в ⟦clock⟧", "1 204 просмотра", "12 человек смотрят", "через 14 дней"),
    "uk": ("5 хвилин тому", "Оновлено 3 березня 2026 р. о 10:15", "Оновлено ⟦date⟧ ⟦clock⟧", "1 204 перегляди", "12 людей переглядають", "через 14 днів"),
    "el": ("πριν από 5 ώρες", "Ενημέρωση: 3 Μαρτίου 2026", "Ενημέρωση: ⟦date⟧", "512 προβολές", "12 άτομα βλέπουν", "σε 14 ημέρες"),
    "ja": ("3時間前", "更新日:2026年3月3日 10:15", "更新日:⟦date⟧ ⟦clock⟧", "閲覧数 8,697", "12人が閲覧中", "14日後"),
    "zh": ("两个月前", "发布于2026年3月3日 上午10:15", "发布于⟦date⟧ ⟦clock⟧", "浏览 1204 次", "12人正在浏览", "14天后"),
    "ko": ("2시간 전", "최종 수정일: 2026년 3월 3일", "최종 수정일: ⟦date⟧", "조회수 1,204회", "12명이 보고 있습니다", "14일 후"),
    "ar": ("منذ ٣ دقائق", "آخر تحديث: 3 مارس 2026", "آخر تحديث: ⟦date⟧", "92,486 مشاهدة", "يشاهد هذا المنتج 12 شخصًا", "خلال 14 يومًا"),
    "he": ("לפני 3 שעות", "עודכן ב-3 במרץ 2026", "עודכן ב-⟦date⟧", "512 צפיות", "12 אנשים צופים", "בעוד 14 ימים"),
    "fa": ("۳ ساعت پیش", "آخرین به روز رسانی: ۳ مرداد ۱۴۰۴", "آخرین به روز رسانی: ⟦date⟧", "۵۱۲ بازدید", "12 نفر در حال مشاهده", "14 روز بعد"),
    "hi": ("३ घंटे पहले", "अपडेट: 3 मार्च 2026", "अपडेट: ⟦date⟧", "512 टिप्पणियाँ", "12 लोग देख रहे", "14 दिन में"),
    "th": ("3 ชั่วโมงที่ผ่านมา", "อัปเดตล่าสุด 3 มีนาคม 2569", "อัปเดตล่าสุด ⟦date⟧", "512 ความคิดเห็น", "12 คนกำลังดู", "ในอีก 14 วัน"),
    "vi": ("3 phút trước", "Cập nhật lúc 10:15 ngày 3 tháng 3 năm 2026", "Cập nhật ⟦clock⟧ ⟦date⟧", "512 lượt xem", "12 người đang xem", "sau 14 ngày"),
    "id": ("3 jam yang lalu", "Diperbarui 3 Maret 2026 pukul 10.15", "Diperbarui ⟦date⟧ ⟦clock⟧", "512 komentar", "12 orang sedang melihat", "dalam 14 hari"),
}  # fmt: skip


def test_each_table_has_its_examples():
    assert {table.code for table in languages()} == set(SAID)


@pytest.mark.parametrize("declared", ["own", None])
@pytest.mark.parametrize("language", SAID)
def test_the_passing_words_of_a_language_are_masked_whether_or_not_the_page_declares_it(language, declared):
    ago, updated, normal, counter, watched, stays = SAID[language]
    said = language if declared else None
    assert [masked(text, said) for text in (ago, updated, counter, watched, stays)] == [
        "⟦time⟧",
        normal,
        "⟦count⟧",
        "⟦count⟧",
        stays,
    ]


@pytest.mark.parametrize("locale", ["en_GB", "de", "fr", "es", "pt_BR", "it", "nl", "sv", "pl", "cs", "hu", "fi", "tr", "ru", "uk", "el", "ja", "zh", "ar_EG", "fa", "hi", "bn", "th", "vi", "id", "hr", "lt", "lv", "et", "sl", "bg", "is", "ka", "sw"])  # fmt: skip
@pytest.mark.parametrize("form", ["long", "medium"])
def test_a_date_in_the_form_of_a_locale_is_masked_beside_an_update_word_and_nowhere_else(locale, form):
    date = format_date(dt.date(2026, 3, 13), form, locale=locale)
    assert masked(f"Updated: {date}").rstrip(" г.р") == "Updated: ⟦date⟧"
    assert "⟦" not in masked(f"The sale closes {date}")


@pytest.mark.parametrize(
    ("text", "language", "normal"),
    [
        ("Stand: 3. März 2026", "de", "Stand: ⟦date⟧"),
        ("Stand: 3 March 2026", "en", "Stand: 3 March 2026"),
        ("ma", "hu", "⟦time⟧"),
        ("ma", "it", "ma"),
    ],
)
def test_a_word_that_is_another_languages_counts_on_pages_of_its_own_only(text, language, normal):
    assert masked(text, language) == normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Yesterday, 10:15", "⟦time⟧, ⟦clock⟧"),
        ("Today", "⟦time⟧"),
        ("12 users online now", "⟦count⟧ ⟦time⟧"),
        ("12 Besucher sind gerade online", "⟦count⟧"),
        ("Updated today", "Updated ⟦time⟧"),
        ("Open today 10:15", "Open today 10:15"),
        ("Today 3 seats left", "Today 3 seats left"),
        ("1 hour and 5 minutes ago", "⟦time⟧"),
        ("hace 2 horas y 5 minutos", "⟦time⟧"),
        ("Un'ora fa", "⟦time⟧"),
        ("moreover 3 days ago", "moreover ⟦time⟧"),
    ],
)
def test_a_relative_time_is_masked_with_all_that_belongs_to_it(text, normal):
    assert masked(text) == normal


@pytest.mark.parametrize(
    "text",
    [
        "Book for 4 people looking for adventure",
        "Reading room for 12 people",
        "Rezept für 4 Personen online",
        "Book online for 12 people",
        "Take 2 tablets 3 times a day",
        "5 mg",
        "5 %",
        "4.9",
        "Was 20, now 15",
        "Version 2.3.1",
        "Delivery in 3 days",
        "Updated every 5 minutes",
        "Closes 3 March",
        "3 mars 2026",
        "Gültig bis 3. März 2026",
    ],
)
def test_an_amount_a_price_a_dose_or_a_date_of_the_subject_differs_when_it_changes(text):
    changed = re.sub(r"\d+(?!.*\d)", lambda match: str(int(match[0]) + 8), text)
    assert masked(text) != masked(changed)
