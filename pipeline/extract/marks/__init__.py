"""What suggests that an answer is not the page: a challenge, a login, a soft 404, a consent wall, an empty shell.

signs     what is looked at, read from the parsed page
vendors   how the interstitials of known vendors are built
phrases   what such pages say, in many languages
telling   the marks, from the signs
arrival   what the URL says at which redirects ended
"""

from pipeline.extract.marks.arrival import Arrival, arrival_marks
from pipeline.extract.marks.signs import Signs
from pipeline.extract.marks.telling import MARKS, page_marks

__all__ = ["MARKS", "Arrival", "Signs", "arrival_marks", "page_marks"]
