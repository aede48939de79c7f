import pytest

from tests.engine.extract.interstitials import ON_FULL_PAGES, STAND_INS

PROSE = "The smith heats the iron and strikes it until it is what was asked for. "
CONSENT = """<p>We use cookies to make this site work and to measure how it is used by our visitors.</p>
<p>You can accept all cookies or reject those that are not needed for the site.</p><button>Accept all</button>"""
LONG = f"<main><h1>Anvils</h1>{f'<p>{PROSE}</p>' * 40}</main>"


@pytest.mark.parametrize(
    ("markup", "marks"),
    [
        (
            "<title>Just a moment...</title><h1>shop.example</h1><p>Enable JavaScript and cookies to continue</p>",
            ("challenge",),
        ),
        ("<title>Robot Check</title><p>Type the characters you see</p>", ("captcha",)),
        ("<h1>One more step</h1><p>Please verify you are human to go on.</p>", ("captcha",)),
        ("<p>Our systems have detected unusual traffic from your network.</p>", ("captcha",)),
        ("<form><div class=g-recaptcha></div><button>Go on</button></form>", ("captcha",)),
        ("<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>", ("block",)),
        ("<title>Access Denied</title><p>You don't have permission to access this.</p>", ("block",)),
        ("<title>403 Forbidden</title><h1>403 Forbidden</h1>", ("block",)),
        ("<p>Request unsuccessful. Incapsula incident ID: 1-2</p>", ("block",)),
        ("<h1>Sign in</h1><form><input name=user><input type=PASSWORD></form>", ("login", "password")),
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
    assert read("", content_type="application/json").marks == ("unreadable",)
    assert read("[]", content_type="application/json").marks == ()


@pytest.mark.parametrize("name", STAND_INS)
def test_the_interstitials_of_vendors_are_told_apart(read, name: str) -> None:
    mark, markup = STAND_INS[name]
    marks = read(markup).marks
    first = next(known for known in ("captcha", "challenge", "block", "waiting_room") if known in marks)
    assert first == mark


SHORT_PAGE = f"<title>Anvil</title><main><h1>Anvil</h1><p>89,00 €</p><p>In stock</p>{f'<p>{PROSE}</p>' * 4}</main>"


@pytest.mark.parametrize("page", [LONG, SHORT_PAGE], ids=["long", "short"])
@pytest.mark.parametrize("name", ON_FULL_PAGES)
def test_what_vendors_put_on_full_pages_is_no_sign(read, name: str, page: str) -> None:
    decisive = set(read(f"<header>Shop</header>{page}{ON_FULL_PAGES[name]}").marks) - {"password", "unfilled"}
    assert decisive <= ({"login"} if "login" in name and page is SHORT_PAGE else set())


MENU = "<nav><ul>" + "".join(f"<li><a href=/{n}>Anvils and tongs, part {n}</a></li>" for n in range(80)) + "</ul></nav>"


@pytest.mark.parametrize(
    ("markup", "mark"),
    [
        (f"{MENU}<main><h1>Nie znaleziono strony</h1><p>Przepraszamy.</p></main>", "not_found"),
        (f"{MENU}<main><h1>Stránka neexistuje</h1></main>", "not_found"),
        (f"{MENU}<main><h1>הדף לא נמצא</h1></main>", "not_found"),
        (f"{MENU}<main><h1>الصفحة غير موجودة</h1></main>", "not_found"),
        (f"{MENU}<main><h1>ไม่พบหน้าที่คุณต้องการ</h1></main>", "not_found"),
        (f"{MENU}<main><h1>Không tìm thấy trang</h1></main>", "not_found"),
        (f"{MENU}<main><h1>Ojej!</h1><p>Nic tu nie ma.</p></main><body class='error404 wide'>", "not_found"),
        ("<head><meta name=prerender-status-code content=404></head><h1>Oh</h1><p>Rien ici.</p>", "not_found"),
        ("<title>503 Service Temporarily Unavailable</title><h1>503</h1>", "error_page"),
        ("<title>Shop</title><h1>Wartungsarbeiten</h1><p>Wir sind gleich zurück.</p>", "error_page"),
        ("<h1>Error establishing a database connection</h1>", "error_page"),
        (
            "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><p>Further configuration is required.</p>",
            "parked",
        ),
        ("<title>shop.example</title><h1>The domain shop.example is for sale</h1>", "parked"),
        (f"{MENU}<main></main><footer>Shop</footer><script src=app.js></script>", "half_rendered"),
        (f"{MENU}<div class=skeleton></div>" * 3 + "<main></main><script src=app.js></script>", "half_rendered"),
        ("<h1>{{ product.name }}</h1><p>{{ product.price }}</p><p>{{ product.stock }}</p>", "half_rendered"),
        (
            "<div id=onetrust-consent-sdk class=cookie-consent role=dialog aria-label='Cookie banner'>"
            + f"<p>We use cookies. {PROSE}</p>" * 30
            + "<button>Accept all</button></div><script src=app.js></script>",
            "consent",
        ),
    ],
)
def test_what_stands_in_for_a_page_is_marked_whatever_is_around_it(read, markup: str, mark: str) -> None:
    assert mark in read(markup).marks


@pytest.mark.parametrize(
    "markup",
    [
        "<h1>500 ideas for small gardens</h1><p>Begin with the soil.</p>",
        "<h1>451 Fahrenheit</h1><p>A novel.</p>",
        "<h1>Peugeot 504</h1><p>A car of 1968</p>",
        "<h1>Maintenance of anvils</h1><p>Oil the face.</p>",
        "<h1>Waiting room chairs</h1><p>89,00 €</p><script>track()</script>",
        f"{MENU}<main><h1>Anvil</h1><p>89,00 €</p></main><script src=app.js></script>",
        f"<h1>Templates</h1><p>Write</p><code>{{{{ name }}}}</code><p>or</p><code>{{{{ price }}}}</code>{PROSE}",
        "<title>Index of /pub/anvils</title><h1>Index of /pub/anvils</h1><a href=a>a.txt</a>",
    ],
)
def test_a_page_that_only_sounds_like_one_is_none(read, markup: str) -> None:
    assert read(markup).marks == ()
