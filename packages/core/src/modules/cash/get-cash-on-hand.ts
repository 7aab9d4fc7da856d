import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { toCashOnHand } from './cash-on-hand.ts';
import { readCash } from './read-cash.ts';

type Op = typeof operations.cash.onHand;

/** Cash on hand per currency today in the company's time zone. */
export async function getCashOnHand(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return toCashOnHand(await readCash(context, input.company_id));
}
