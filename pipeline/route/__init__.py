"""Route: what becomes of a change. Pure: a change and the page's alert rules in, rows to record out."""

from pipeline.route.routing import (
    LOG_CHANNEL,
    Change,
    Routed,
    alert_id,
    change_id,
    decode_last_alerted,
    encode_last_alerted,
    event_item,
    route,
)
from pipeline.route.worth import visits_needed, worth_an_alert

__all__ = [
    "LOG_CHANNEL",
    "Change",
    "Routed",
    "alert_id",
    "change_id",
    "decode_last_alerted",
    "encode_last_alerted",
    "event_item",
    "route",
    "visits_needed",
    "worth_an_alert",
]
