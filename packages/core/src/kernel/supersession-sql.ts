/**
 * CTE `supersession (connection_id, replaced_by, day)` beside `link (id, replaces, day)`, in a `WITH RECURSIVE`: for
 * each connection that links supersede, directly or through others, the first `day` of any of them and its connection;
 * one row per chain, with a null day where no link has one. Walks from the newest connection back, so that a chain
 * costs its length.
 */
export const supersessionCte = `
  supersession AS (
    SELECT l.replaces AS connection_id, l.id AS replaced_by, l.day FROM link l
    WHERE NOT EXISTS (SELECT FROM link n WHERE n.replaces = l.id)
    UNION ALL
    SELECT l.replaces, CASE WHEN l.day <= s.day OR s.day IS NULL THEN l.id ELSE s.replaced_by END, least(l.day, s.day)
    FROM supersession s JOIN link l ON l.id = s.connection_id
  )`;
