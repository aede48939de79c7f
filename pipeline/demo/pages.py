"""The pages of the demo site. This is the script: to change what a page does, change its declaration here."""

from pipeline.demo.page import DemoPage, Steps, as_price

__all__ = ["PAGES"]

PAGES: tuple[DemoPage, ...] = (
    DemoPage(
        name="fixed",
        title="How to read a tide table",
        about="Never changes by a byte.",
    ),
    DemoPage(
        name="noisy-en",
        title="New crane lifts its first hull",
        about="Says the same on each load, with another age, clock, token, advertisement and list order.",
        noisy=True,
    ),
    DemoPage(
        name="noisy-es",
        title="El mercado recupera su reloj de la torre",
        about='The same in Spanish ("hace 3 minutos").',
        language="es",
        noisy=True,
    ),
    DemoPage(
        name="noisy-pt",
        title="A biblioteca da vila abre a sala dos mapas",
        about='The same in Portuguese ("há 3 minutos").',
        language="pt",
        noisy=True,
    ),
    DemoPage(
        name="noisy-zh",
        title="老茶厂的水车又转起来了",
        about='The same in Chinese ("3分钟前").',
        language="zh",
        noisy=True,
    ),
    DemoPage(
        name="anvil",
        title="Anvil, 20 kg",
        about="A product whose price falls and which then sells out.",
        fields={
            "price": Steps({1: as_price("89.00", "EUR"), 2: as_price("79.00", "EUR")}),
            "availability": Steps({1: "InStock", 4: "OutOfStock"}),
        },
    ),
    DemoPage(
        name="supplier",
        title="About Brightwell Fasteners",
        about="A supplier that loses a certificate.",
        fields={
            "certificates": Steps(
                {
                    1: [
                        "EN 1090-2 Execution of steel structures",
                        "ISO 14001 Environmental management",
                        "ISO 45001 Occupational health and safety",
                        "ISO 9001 Quality management",
                    ],
                    3: [
                        "EN 1090-2 Execution of steel structures",
                        "ISO 45001 Occupational health and safety",
                        "ISO 9001 Quality management",
                    ],
                }
            )
        },
    ),
    DemoPage(
        name="terms",
        title="Terms of sale",
        about="Terms in which one number changes, in the middle of running text.",
        phrase=Steps({1: "within 30 days", 3: "within 14 days"}),
    ),
    DemoPage(
        name="cached",
        title="Visit the museum",
        about="Answers 304 Not Modified as long as it is unchanged.",
        phrase=Steps({1: "closed on Mondays", 4: "closed on Mondays and Tuesdays"}),
        etag=True,
    ),
    DemoPage(
        name="echo",
        title="How your visit looked from here",
        about="Shows the language and the browser name of the request: constant from a constant vantage.",
        echoes=True,
    ),
    DemoPage(
        name="wall",
        title="The lighthouse at Skerry Point",
        about="Hides behind a block page, with status 200, and comes back unchanged.",
        blocked_on=frozenset({2, 3}),
    ),
    DemoPage(
        name="flaky",
        title="Line 7: Mill Bridge to High Pastures",
        about="Answers 500 for a day and comes back unchanged.",
        failing_on=frozenset({3}),
    ),
    DemoPage(
        name="blink",
        title="The reading room on Weaver Street",
        about="A slip that is put right within minutes: the confirm visit finds it gone.",
        phrase=Steps({1: "seats forty readers"}),
        slips={4: "seats four readers"},
    ),
)
"""In the order of the index page and of the table in docs/demo.md."""
