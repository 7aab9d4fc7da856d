/**
 * CTE `t` (for WITH RECURSIVE) of the endpoints with rows in `due`. It skips from endpoint to endpoint along the index,
 * so a backlog of a million rows costs as little as one. Its last row is null. Empty while `gate` is false.
 */
export const dueEndpoints = (gate = 'true'): string => `t (endpoint_id) AS (
     (SELECT endpoint_id FROM due WHERE ${gate} ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM due d WHERE d.endpoint_id > t.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
     FROM t WHERE t.endpoint_id IS NOT NULL
   )`;
