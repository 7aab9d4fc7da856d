/**
 * SQL: the first moment at which clocks of `zone` show `local`, a timestamp. Of an hour that comes twice PostgreSQL takes
 * the second one ("Date/Time Key Words", Appendix B), which would leave the first to the day before.
 */
export function firstInstantSql(local: string, zone: string): string {
  return `least((${local}) AT TIME ZONE ${zone}, (${local} - interval '1 hour') AT TIME ZONE ${zone} + interval '1 hour')`;
}
