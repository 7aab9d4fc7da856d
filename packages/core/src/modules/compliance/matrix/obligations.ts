import type { Obligation } from '../obligation.ts';
import { gb } from './gb.ts';
import { usCa } from './us-ca.ts';
import { usDe } from './us-de.ts';
import { usFederal } from './us-federal.ts';
import { usFl } from './us-fl.ts';
import { usNy } from './us-ny.ts';
import { usTx } from './us-tx.ts';
import { usWy } from './us-wy.ts';

export const obligations: readonly Obligation[] = [
  ...usFederal,
  ...usCa,
  ...usDe,
  ...usFl,
  ...usNy,
  ...usTx,
  ...usWy,
  ...gb,
];
