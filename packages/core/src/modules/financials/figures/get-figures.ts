import type { operations } from '@finhook/contracts';
import type { Context } from '../../../kernel/context.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { readArrivals } from './read-arrivals.ts';
import { readBurn, readRunway, toBurnRecord } from './read-runway.ts';

type RunwayOp = typeof operations.financials.runway;
type BurnOp = typeof operations.financials.burn;
type FreshnessOp = typeof operations.financials.freshness;

export async function getRunway(context: Context, input: InputOf<RunwayOp>): Promise<OutputOf<RunwayOp>> {
  const { runway } = await readRunway(context, await readBurn(context, input.company_id));
  return runway;
}

export async function getBurn(context: Context, input: InputOf<BurnOp>): Promise<OutputOf<BurnOp>> {
  return toBurnRecord(await readBurn(context, input.company_id));
}

export async function getFreshness(context: Context, input: InputOf<FreshnessOp>): Promise<OutputOf<FreshnessOp>> {
  return (await readArrivals(context, await readBurn(context, input.company_id))).freshness;
}
