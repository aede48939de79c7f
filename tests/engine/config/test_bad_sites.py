"""Site files that are wrong: file, line, key and what is expected, and no other file suffers."""

import os
import time

import pytest

from pipeline.errors import ConfigError

ONE = "pages: [{name: a, url: 'https://a.example'}]\n"


def test_a_problem_names_file_line_key_and_what_is_expected(folder):
    folder.write("sites/shop.yaml", "pages:\n  - name: a\n    url: https://a.example\n    every: soon\n")
    (problem,) = folder.load().problems
    assert isinstance(problem, ConfigError)
    assert str(problem) == ("sites/shop.yaml:4: pages[0].every: expected a time such as `90s`, `30m`, `6h` or `2d`")
    assert (str(problem.path), problem.line, problem.key) == ("sites/shop.yaml", 4, "pages[0].every")


def test_a_malformed_file_hides_no_other(folder):
    folder.write("sites/bad.yaml", "pages: [")
    folder.write("sites/good.yaml", ONE)
    folder.write("sites/worse.yaml", b"\xff\xfe")
    project = folder.load()
    assert list(project.sites) == ["good"]
    assert [str(problem.path) for problem in project.problems] == ["sites/bad.yaml", "sites/worse.yaml"]
    assert project.malformed == {"bad", "worse"}


def test_every_problem_of_a_file_is_reported_in_order_of_line(folder):
    problems = folder.problems(
        """
        evry: 6h
        time_zone: Europe/Berlim
        page_types:
          product: {alert: {price: sometimes}}
        pages:
          - name: a
            url: ftp://a.example
            importance: -1
          - name: B
            url: https://b.example
            colour: red
          - just text
          - url: https://c.example
        """
    )
    assert [problem.partition(": ")[0] for problem in problems] == ["2", "3", "5", "8", "9", "10", "12", "13", "14"]
    assert problems[0] == "2: evry: unknown key; did you mean `every`?"
    assert problems[1].endswith("did you mean `Europe/Berlin`?")
    assert problems[5].startswith("10: pages[1].name: expected a name of at most 64")
    assert problems[6].startswith("12: pages[1].colour: unknown key; expected `alert`")
    assert problems[7:] == [
        "13: pages[2]: expected a mapping: lines of `key: value`",
        "14: pages[3].name: missing; this key is required",
    ]


def test_what_is_wrong_between_pages_is_reported_together_with_what_is_wrong_in_them(folder):
    problems = folder.problems(
        """
        pages:
          - {name: a, url: "https://a.example"}
          - {name: a, url: "https://b.example", every: soon}
          - {name: a, url: "https://A.example:443/#x"}
        """
    )
    assert problems == [
        "4: pages[1].every: expected a time such as `90s`, `30m`, `6h` or `2d`",
        "5: pages[2].name: `a` is already the page at line 3; rename one",
        "5: pages[2].url: already watched from the same vantage, at line 3; remove one",
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n", "just text\n"])
def test_a_file_that_is_no_mapping_says_so(folder, text):
    (problem,) = folder.problems(text)
    assert problem.endswith("expected a mapping: lines of `key: value`")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("every: 6h\n", "1: pages: missing; this key is required"),
        ("every: 6h\npages:\n", "2: pages: expected a list: lines that begin with `- `"),
        ("every: 6h\npages: []\n", "2: pages: expected at least 1 in the list"),
        ("page:\n  - x\npages: []\n", "1: page: unknown key; did you mean `pages`?"),
    ],
)
def test_a_site_needs_pages(folder, text, message):
    assert message in folder.problems(text)


@pytest.mark.parametrize("name", ["Anvil", "a/b", "../a", "-a", "_a", "a" * 65, "a b", "ä", "a.b", "''", '"a\\n"', "~"])
def test_page_names_are_plain(folder, name):
    problems = folder.problems(f"pages: [{{name: {name}, url: 'https://a.example'}}]")
    assert problems[0].startswith("1: pages[0].name: expected ")


@pytest.mark.parametrize("stem", ["Shop", "a b", "a.b", "_a", "a" * 65, "ä"])
def test_the_name_of_a_site_file_is_plain(folder, stem):
    folder.write(f"sites/{stem}.yaml", ONE)
    (problem,) = folder.load().problems
    assert str(problem).startswith(f"sites/{stem}.yaml: the file's name is the site's; expected at most 64")


def test_a_site_file_of_another_ending_is_not_silently_left_out(folder):
    folder.write("sites/shop.yml", ONE)
    (problem,) = folder.load().problems
    assert str(problem) == "sites/shop.yml: site files end in `.yaml`; rename it to `shop.yaml`"


def test_other_files_in_the_folder_are_left_alone(folder):
    for name in ("schema.json", ".#shop.yaml", "shop.yaml~", "README.md", "old/shop.yaml"):
        folder.write(f"sites/{name}", "{{{")
    assert folder.load().problems == ()


def test_a_file_that_cannot_be_read_says_so(folder):
    (folder.root / "sites/folder.yaml").mkdir(parents=True)
    (folder.root / "sites/gone.yaml").symlink_to(folder.root / "nowhere")
    os.mkfifo(folder.root / "sites" / "ignored")
    assert [str(problem) for problem in folder.load().problems] == [
        "sites/folder.yaml: cannot be read: Is a directory",
        "sites/gone.yaml: cannot be read: No such file or directory",
    ]


def test_bytes_that_are_not_utf_8_are_named_with_their_line(folder):
    assert folder.problems(b"every: 6h\n# M\xfcller\n") == ["2: not UTF-8; save the file in that encoding"]


def test_a_byte_order_mark_is_no_fault(folder):
    folder.site("\ufeff" + ONE)


def test_a_file_that_is_too_large_is_refused_unread(folder):
    (problem,) = folder.problems(b"#" * 10_000_001)
    assert problem.endswith("larger than 10,000,000 bytes; split it into several files")


@pytest.mark.parametrize(
    "text", ["59s", "0s", "0m", "366d", "999999999d", "1ms", "-1h", "6", "6 h", "6H", "1h30m", "1.5h", "", "６h", "~x"]
)
@pytest.mark.parametrize("key", ["every", "min", "max"])
def test_intervals_have_a_unit_and_bounds(folder, key, text):
    assert folder.page_problem(f"{key}: '{text}'").startswith(f"{key}: expected a time ")


def test_the_shortest_interval_is_not_longer_than_the_longest(folder):
    message = "`min` is longer than `max`; expected at most as long"
    assert folder.page_problem("min: 2h\nmax: 1h") == f"max: {message}"
    assert folder.page_problem("min: 2h", "max: 1h") == f"min: {message}"
    assert folder.page_problem("", "max: 1h\nmin: 2h") == f"max: {message}"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("url2: x", "url2: unknown key; did you mean `url`?"),
        ("importance: 0", "importance: expected more than 0"),
        ("importance: -1", "importance: expected more than 0"),
        ("importance: 1001", "importance: expected at most 1000"),
        ("importance: high", "importance: expected a number"),
        ("importance: .nan", "importance: expected a number"),
        ("importance: nan", "importance: expected a number"),
        ("importance: inf", "importance: expected a number"),
        ("importance: 1e999", "importance: expected a number"),
        ("importance: [2]", "importance: expected a number"),
        ("fixed: maybe", "fixed: expected `true` or `false`"),
        ("role: canry", "role: expected `watched`, `canary` or `echo`"),
        ("page_type: prodct", "page_type: no page type of this site; did you mean `product`?"),
        ("page_type: zzz", "page_type: no page type of this site; expected `auto`, `product`"),
        ("was: Old", "was: expected a name of at most 64"),
        ("was: anvil", "was: `anvil` is still a page, at line 3; expected a name no longer used"),
        ("alert: any", "alert: expected a mapping"),
        ("alert: {price: 1%}", "alert.price: expected `any`, `never` or a mapping such as `{change: 1%}`"),
        ("alert: {price: [5]}", "alert.price: expected `any`, `never` or a mapping such as `{change: 1%}`"),
        ("alert: {price: {change: 0}}", "alert.price.change: expected a size of change above 0"),
        ("alert: {price: {change: -1%}}", "alert.price.change: expected a size of change above 0"),
        ("alert: {price: {change: true}}", "alert.price.change: expected a size of change above 0"),
        ("alert: {price: {change: 1, never: 1}}", "alert.price.never: unknown key"),
        ("alert: {price: {below: 1%}}", "alert.price.below: expected an amount such as `50`"),
        ("alert: {price: {direction: sideways}}", "alert.price.direction: expected `up` or `down`"),
        ("alert: {price: {stable_for: 0}}", "alert.price.stable_for: expected"),
        ("alert: {price: {members: added}}", "alert.price.members: a price has no members; this is for `list`"),
        ("alert: {price: {to: ['5']}}", "alert.price.to: a price is compared by size or members"),
        (
            "alert: {availability: {to: [Instock]}}",
            "alert.availability.to[0]: no availability of schema.org; did you mean",
        ),
        ("alert: {prise: any}", "alert.prise: no such field is tracked here; did you mean `price`?"),
        ("page_type: terms\nalert: {price: any}", "alert.price: no such field is tracked here; nothing is expected"),
        (
            "alert: {name: {change: 1%}}",
            "alert.name.change: a text has no size; this is for `duration`, `number` or `price`",
        ),
        ("fields: {certs: {type: list}}", "fields.certs: needs `css`"),
        ("vantage: de", "vantage: expected a mapping"),
        ("vantage: {county: de}", "vantage.county: unknown key; did you mean `country`?"),
        ("vantage: {country: deu}", "vantage.country: expected two letters of ISO 3166"),
        ("vantage: {language: 'a\tb'}", "vantage.language: expected an Accept-Language header"),
        ("vantage: {language: 'für'}", "vantage.language: expected an Accept-Language header"),
        ('vantage: {user_agent: "a\\r\\nX: y"}', "vantage.user_agent: expected at most 500 printable ASCII"),
        ("vantage: {cookies: {'a b': '${A}'}}", "vantage.cookies.a b: expected a cookie name without spaces"),
        ("mask: ['(?<=a)b']", "mask[0]: expected an RE2 pattern"),
        ("unordered: ['ul[']", "unordered[0]: expected a CSS selector: "),
    ],
)
def test_what_is_wrong_with_a_page_is_named_by_key(folder, keys, message):
    assert message in folder.page_problem(keys)


def test_an_unknown_key_anywhere_is_an_error_with_the_nearest_name(folder):
    problems = folder.problems(
        """
        vantage: {langauge: de}
        page_types:
          product: {filds: product, alert: {price: {chnge: 1%}}}
        pages:
          - name: a
            url: https://a.example
            region: {exclud: [a]}
            fields:
              - price: {type: price, ccs: b}
        """
    )
    assert [problem.partition(" ")[2] for problem in problems] == [
        "vantage.langauge: unknown key; did you mean `language`?",
        "page_types.product.alert.price.chnge: unknown key; did you mean `change`?",
        "page_types.product.filds: unknown key; did you mean `fields`?",
        "pages[0].region.exclud: unknown key; did you mean `exclude`?",
        "pages[0].fields[0].price.ccs: unknown key; did you mean `css`?",
    ]


@pytest.mark.parametrize(
    "zone", ["Europe/Berlim", "Mars/Base", "Europe", "../../etc/passwd", "/etc/localtime", "", "a\\0b", "+02:00"]
)
def test_a_time_zone_must_exist(folder, zone):
    (problem,) = folder.problems(f'time_zone: "{zone}"\n{ONE}')
    assert problem.startswith("1: time_zone: expected an IANA time zone such as `Europe/Berlin` or `UTC`")


def test_page_types_are_checked_whether_a_page_uses_them_or_not(folder):
    head = """
    page_types:
      Supplier: {}
    """
    assert folder.page_problem("", head).startswith("page_types.Supplier: expected a name of at most 64")
    assert "another name" in folder.page_problem("", "page_types: {auto: {}}")
    assert "needs `css`" in folder.page_problem("", "page_types: {a: {fields: {certs: {type: list}}}}")
    assert "no such field" in folder.page_problem("", "page_types: {product: {alert: {prise: any}}}")


def test_a_page_listed_twice_names_both_lines(folder):
    (problem,) = folder.problems(
        """
        pages:
          - name: a
            url: https://a.example
          - name: b
            vantage: {language: de}
            url: https://a.example
          - name: c
            url: HTTPS://A.EXAMPLE/
        """
    )
    assert problem == "9: pages[2].url: already watched from the same vantage, at line 4; remove one"


def test_two_pages_cannot_take_one_history(folder):
    problems = folder.problems(
        """
        pages:
          - {name: a, url: "https://a.example", was: old}
          - {name: b, url: "https://b.example", was: old}
          - {name: c, url: "https://c.example", was: a}
        """
    )
    assert problems == [
        "4: pages[1].was: line 3 already takes the history of `old`; remove one",
        "5: pages[2].was: `a` is still a page, at line 3; expected a name no longer used",
    ]


def test_errors_are_one_line_whatever_the_keys_hold(folder):
    for problem in folder.problems('"a\\nb": 1\n"\\ud800": 1\n"\\e[31m": 1\n' + ONE):
        assert "\n" not in problem
        assert problem.isprintable()
        assert problem.encode()


def test_reading_takes_time_in_proportion_to_the_pages(folder):
    def seconds(count):
        pages = "".join(f"  - {{name: p{n}, url: 'https://a.example/{n}'}}\n" for n in range(count))
        folder.write("sites/shop.yaml", "pages:\n" + pages)
        began = time.process_time()
        assert len(folder.load().sites["shop"].pages) == count
        return time.process_time() - began

    seconds(10)
    assert seconds(3_200) < 64 * seconds(200)


def test_as_many_problems_as_pages_take_no_longer(folder):
    pages = "".join(f"  - {{name: p, url: 'https://a.example', evry: {n}}}\n" for n in range(500))
    assert len(folder.problems("pages:\n" + pages)) == 500
