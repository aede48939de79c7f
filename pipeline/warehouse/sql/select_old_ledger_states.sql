-- Ledgers of days before `day` that a later row of the same page and set has replaced.
SELECT l.set_id, l.page_id, l.day
FROM ledger_states l
WHERE l.day < $day
  AND EXISTS (FROM ledger_states n WHERE n.set_id = l.set_id AND n.page_id = l.page_id AND n.day > l.day)
LIMIT $limit;
