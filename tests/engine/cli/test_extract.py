"""`extract`: fields and visible text of a saved page."""


def test_the_output_has_exactly_the_stable_keys(cli, pages):
    (page,) = cli("extract", "anvil89.html", "--json").lines
    assert page.keys() == {"page_type", "quality", "fields", "blocks"}
    assert (page["page_type"], page["quality"]) == ("product", "good")
    price = page["fields"]["price"]
    assert price == {
        "type": "price",
        "state": "value",
        "value": {"amount": "89.00", "currency": "EUR"},
        "raw": "89.00",
        "source": "json_ld",
    }
    assert page["fields"]["sku"]["state"] == "missing"
    assert page["fields"]["sku"]["value"] is None
    assert {"text": "Anvil", "region": "main"} in page["blocks"]
    assert all(block.keys() == {"text", "region"} for block in page["blocks"])


def test_people_see_fields_and_text(cli, pages):
    out = cli("extract", "anvil89.html").out
    assert "page type product" in out
    assert "89.00 EUR" in out
    assert "A forged steel anvil" in out


def test_rules_and_url_are_used(cli, pages):
    cli.write("rules.yaml", "page_type: text\nfields: {term: {type: text, css: 'main p'}}\nregion: main\n")
    (page,) = cli("extract", "terms30.html", "--rules", "rules.yaml", "--url", "https://x.example/", "--json").lines
    assert page["page_type"] == "text"
    assert list(page["fields"]) == ["term"]
    assert {block["region"] for block in page["blocks"]} == {"main"}


def test_standard_input_is_read(cli, pages):
    (page,) = cli("extract", "-", "--json", stdin=(pages / "anvil79.html").read_bytes()).lines
    assert page["fields"]["price"]["value"]["amount"] == "79.00"


def test_bytes_that_are_no_page_have_a_quality_and_status_0(cli):
    cli.write("noise.html", bytes(range(256)) * 40)
    result = cli("extract", "noise.html", "--json")
    assert result.status == 0
    assert result.lines[0]["quality"] != "good"


def test_a_file_that_is_not_there_is_status_2(cli):
    result = cli("extract", "nothere.html", "--json")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("quietdiff: nothere.html: No such file or directory; ")
