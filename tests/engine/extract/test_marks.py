import pytest

PROSE = "The smith heats the iron and strikes it until it is what was asked for. "
CONSENT = """<p>We use cookies to make this site work and to measure how it is used by our visitors.</p>
<p>You can accept all cookies or reject those that are not needed for the site.</p><button>Accept all</button>"""
LONG = f"<main><h1>Anvils</h1>{f'<p>{PROSE}</p>' * 40}</main>"


@pytest.mark.parametrize(
    ("markup", "marks"),
    [
        (
            "<title>Just a moment...</title><h1>shop.example</h1><p>Enable JavaScript and cookies to continue</p>",
            ("captcha",),
        ),
        ("<title>Robot Check</title><p>Type the characters you see</p>", ("captcha",)),
        ("<h1>One more step</h1><p>Please verify you are human to go on.</p>", ("captcha",)),
        ("<p>Our systems have detected unusual traffic from your network.</p>", ("captcha",)),
        ("<form><div class=g-recaptcha></div><button>Go on</button></form>", ("captcha",)),
        ("<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>", ("block",)),
        ("<title>Access Denied</title><p>You don't have permission to access this.</p>", ("block",)),
        ("<title>403 Forbidden</title><h1>403 Forbidden</h1>", ("block",)),
        ("<p>Request unsuccessful. Incapsula incident ID: 1-2</p>", ("block",)),
        ("<h1>Sign in</h1><form><input name=user><input type=PASSWORD></form>", ("login",)),
        ("<title>404 Not Found</title><h1>Not Found</h1>", ("not_found",)),
        ("<h1>Page not found</h1><p>Try the search.</p>", ("not_found",)),
        ("<h1>Seite nicht gefunden</h1>", ("not_found",)),
        ("<title>Page introuvable - Boutique</title><p>Désolé</p>", ("not_found",)),
        ("<h1>Página no encontrada</h1>", ("not_found",)),
        ("<h1>Página não encontrada</h1>", ("not_found",)),
        ("<h1>页面不存在</h1>", ("not_found",)),
        ("<title>Shop | 404</title><p>Sorry</p>", ("not_found",)),
        (CONSENT, ("consent",)),
        ("<div id=root></div><script src=app.js></script>", ("shell",)),
        ("<p>Loading...</p><script>start()</script>", ("shell",)),
        ("<p>Redirecting to another place</p><script>go()</script>", ("shell",)),
        (
            "<noscript>You need to enable JavaScript to run this app.</noscript><b>Shop</b><script>go()</script>",
            ("shell",),
        ),
        ("<script>document.write('x')</script>", ("shell",)),
        ("", ("unreadable",)),
        ("<html><body></body></html>", ("unreadable",)),
    ],
)
def test_an_answer_that_is_not_the_page_is_marked(read, markup: str, marks: tuple[str, ...]) -> None:
    assert read(markup).marks == marks


@pytest.mark.parametrize(
    "markup",
    [
        LONG,
        "<h1>Anvil</h1><p>89,00 €</p><script>track()</script>",
        "<h1>Anvil</h1><p>89,00 €</p><script type='application/ld+json'>{}</script><div id=app></div>",
        "<div role=dialog>We use cookies. <button>Accept all</button></div><h1>Anvil</h1><p>89,00 €</p>",
        f"{LONG}<input type=password>",
        f"<h1>Anvil</h1>{PROSE}<div hidden><form><input type=password></form></div>",
        f"<h1>Contact</h1>{PROSE}<form><textarea></textarea><div class=g-recaptcha></div></form>",
        f"<h1>Sign up</h1>{PROSE}<div class=g-recaptcha></div>",
        "<h1>Peugeot 404</h1><p>A car of 1960</p>",
        "<h1>404 area code</h1><p>Atlanta</p>",
        f"<title>404 pages we liked</title>{LONG}",
        f"<title>Access denied: a history</title>{LONG}",
        "<h1>Cookie policy</h1>" + "<p>We set cookies for thirty days and accept no more.</p>" * 40,
        "<h1>Lost in the woods</h1><p>The hut was not found until morning.</p>",
    ],
)
def test_a_real_page_has_no_mark(read, markup: str) -> None:
    assert read(markup).marks == ()


def test_marks_look_at_the_whole_page_whatever_the_rules_keep(read) -> None:
    assert read(f"{LONG}<form id=f><input type=password></form>", include=("#f",)).marks == ()


def test_empty_text_outside_markup_is_unreadable(read) -> None:
    assert read("", content_type="text/plain").marks == ("unreadable",)
    assert read("[]", content_type="application/json").marks == ("unreadable",)
