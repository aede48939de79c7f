-- Ledgers that a later row of the same page and set has replaced: of days before `day`, and of months before `recent` all
-- but the last of each, from which a replay of a day in the month after can begin.
SELECT l.set_id, l.page_id, l.day
FROM ledger_states l
WHERE l.day < $recent
  AND EXISTS (
        FROM ledger_states n
        WHERE n.set_id = l.set_id AND n.page_id = l.page_id AND n.day > l.day
          AND (l.day < $day OR date_trunc('month', n.day) = date_trunc('month', l.day)))
LIMIT $limit;
