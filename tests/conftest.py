"""Examples of property tests are the same in every run, so that a run that was green stays green.

`QUIETDIFF_SEARCH=1 pytest` looks for new ones; what it finds becomes a test or an `@example`.
"""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("search" if os.environ.get("QUIETDIFF_SEARCH") else "same")
