"""Fetching pages: bounded, polite, and honest about what was not received.

fetcher     many pages: hosts in parallel, one request at a time to each host
attempt     one page: redirects by hand, one deadline, the outcome
vantage     a page's headers, cookies and proxy, and keeping their values secret
cookies     what hops of one attempt set, told to the next hop
urls        the one check that every URL passes, and the next hop of a redirect
guard       no connection to private addresses; also for whoever else asks addresses that others chose
addresses   which addresses those are
connection  the one place where requests are sent, and what their failures mean
body        reading a body to its end, within its bounds
decoding    Content-Encoding undone in bounded steps
ending      why there is no page
"""

from pipeline.fetch.fetcher import Fetcher, HttpFetcher
from pipeline.fetch.guard import Guard, open_pool
from pipeline.fetch.urls import check_url

__all__ = ["Fetcher", "Guard", "HttpFetcher", "check_url", "open_pool"]
