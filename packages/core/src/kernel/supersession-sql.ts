/**
 * CTE beside `link (id, replaces, day)`, in a `WITH RECURSIVE`: `succession` tells of each connection that links replace,
 * themselves or in turn, the first `day` of any of those and which one's it is (`replaced_by`); once for each chain where several
 * replace the same, and with a null where no link of the chain has a day. Walked from the newest connection back, so that a
 * chain costs its length.
 */
export const supersessionCte = `
  supersession AS (
    SELECT l.replaces AS connection_id, l.id AS replaced_by, l.day FROM link l
    WHERE NOT EXISTS (SELECT FROM link n WHERE n.replaces = l.id)
    UNION ALL
    SELECT l.replaces, CASE WHEN l.day <= s.day OR s.day IS NULL THEN l.id ELSE s.replaced_by END, least(l.day, s.day)
    FROM supersession s JOIN link l ON l.id = s.connection_id
  )`;
