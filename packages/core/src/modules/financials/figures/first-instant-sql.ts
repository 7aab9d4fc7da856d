/**
 * SQL: the first moment at which clocks in `zone` show `local`, a timestamp. PostgreSQL takes the second one of a
 * repeated hour ("Date/Time Key Words", Appendix B), which would assign the first to the day before.
 */
export function firstInstantSql(local: string, zone: string): string {
  return `least((${local}) AT TIME ZONE ${zone}, (${local} - interval '1 hour') AT TIME ZONE ${zone} + interval '1 hour')`;
}
