"""How errors speak."""

from pipeline.config.words import choices, did_you_mean, dotted, nearest


def test_a_path_is_written_with_dots_and_0_based_places():
    assert dotted(("pages", 2, "fields", "price", "css")) == "pages[2].fields.price.css"
    assert dotted(()) == ""


def test_a_path_is_one_printable_line_of_bounded_length():
    assert dotted(("a\nb", "\ud800", "x" * 1_000)) == "a�b.�." + "x" * 60


def test_the_nearest_name_is_found_whatever_the_case():
    assert nearest("Evry", ["url", "every"]) == "every"
    assert nearest("zzz", ["url", "every"]) is None


def test_choices_read_as_a_sentence():
    assert choices(["a"]) == "`a`"
    assert choices(["a", "b", "c"]) == "`a`, `b` or `c`"
    assert choices(str(n) for n in range(1_000)).endswith("`38` or 961 more")


def test_without_a_near_name_every_name_is_given():
    assert did_you_mean("zzz", ["url", "every"]) == "expected `url` or `every`"
    assert did_you_mean("zzz", []) == "nothing is expected here"
