-- A field's second value on one page, values that come back, and what every field is now.

ALTER TABLE field_values ADD COLUMN rival_json JSON;  -- what the page says of it at another place, where that differs; a field value as in readings
ALTER TABLE field_changes ADD COLUMN disputed BOOLEAN;  -- the page gave two values: to review, never a value alert; NULL before this migration
ALTER TABLE field_changes ADD COLUMN seen_before_at TIMESTAMPTZ;  -- when the page last began to show the new value before; NULL: never

CREATE VIEW current_values AS
SELECT f.site, p.page_name, f.field_name, f.field_type, f.field_state, f.text_value, f.number_value, f.number_high, f.currency,
       f.moment_value, f.bool_value, f.list_value, f.raw_text, f.source, f.rival_json, v.visited_at AS since_at, p.url, f.page_id
FROM field_values f
JOIN visits v USING (page_id, visit_no)
JOIN pages p ON p.page_id = f.page_id
JOIN page_state s ON s.page_id = f.page_id
JOIN rules r ON r.rules_id = p.rules_id
WHERE p.active AND json_exists(r.rules_json, '$.fields.' || f.field_name)
QUALIFY row_number() OVER (
    PARTITION BY f.page_id, f.field_name ORDER BY f.visit_no DESC, (f.rules_id = s.read_rules_id) DESC, f.rules_id DESC) = 1;

COMMENT ON VIEW current_values IS 'One row per watched page and field with the value at the last good visit; times are UTC';
COMMENT ON COLUMN current_values.site IS 'Site: file name of sites/<site>.yaml';
COMMENT ON COLUMN current_values.page_name IS 'Name of the page in its site file';
COMMENT ON COLUMN current_values.field_name IS 'Property of schema.org in snake case, or the name in the rules';
COMMENT ON COLUMN current_values.field_type IS 'price, number, availability, text, date, url, list, bool or duration';
COMMENT ON COLUMN current_values.field_state IS 'value, missing, ambiguous, unreadable or conflict; only value has a value';
COMMENT ON COLUMN current_values.text_value IS 'Canonical text of any type';
COMMENT ON COLUMN current_values.number_value IS 'Exact amount of a price in units of the currency, number, or minutes of a duration';
COMMENT ON COLUMN current_values.number_high IS 'Upper end of a price range, or NULL';
COMMENT ON COLUMN current_values.currency IS 'ISO 4217 code of a price, or NULL when the page does not say';
COMMENT ON COLUMN current_values.moment_value IS 'Begin of a date, UTC';
COMMENT ON COLUMN current_values.bool_value IS 'Truth value of a bool';
COMMENT ON COLUMN current_values.list_value IS 'Members of a list, sorted';
COMMENT ON COLUMN current_values.raw_text IS 'The value as on the page, at most 500 characters';
COMMENT ON COLUMN current_values.source IS 'Where it was read: json_ld, microdata, rdfa, opengraph, css, xpath, regex, json_path or metadata';
COMMENT ON COLUMN current_values.rival_json IS 'Another value that the page gives at another place, or NULL';
COMMENT ON COLUMN current_values.since_at IS 'When this value was first seen, UTC';
COMMENT ON COLUMN current_values.url IS 'URL as requested';
COMMENT ON COLUMN current_values.page_id IS 'Page';

COMMENT ON COLUMN alerts.status IS 'held, pending, leased, sent, dead, or dropped: its value moved on before it had lasted as long as its rule asks';
