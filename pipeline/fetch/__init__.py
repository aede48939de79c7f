"""Fetching pages: bounded, polite, and honest about what was not received.

    fetcher     many pages: hosts in parallel, one request at a time to each host
    attempt     one page: redirects by hand, one deadline, the outcome
    vantage     a page's headers, cookies and proxy, and keeping their values secret
    urls        the one check that every URL passes, and the next hop of a redirect
    connection  the one place where connections are made, and what their failures mean
    body        reading a body to its end, within its bounds
    decoding    Content-Encoding undone in bounded steps
    fault       why there is no page

Every request has a connection of its own. A server that sends more than it announced then harms its own page
only: on a kept connection the surplus would be read as the start of the next page's answer.
"""

from pipeline.fetch.fetcher import Fetcher, HttpFetcher

__all__ = ["Fetcher", "HttpFetcher"]
