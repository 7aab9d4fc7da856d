/** freshness: how recent data is, against the cadence at which it is expected. Pure; knows no table. */
export { gradeFreshness, worstGrade } from './grade-freshness.ts';
