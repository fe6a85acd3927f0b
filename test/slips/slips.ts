import { DOORS } from './doors.ts';
import { LIVED } from './lived.ts';
import { LOST_ORDERS } from './lost-orders.ts';
import { PAID_TWICE } from './paid-twice.ts';
import type { Slip } from './slip.ts';
import { UNTRUE_ANSWERS } from './untrue-answers.ts';
import { WRONG_MONEY } from './wrong-money.ts';

export const SLIPS: readonly Slip[] = [
  ...LOST_ORDERS,
  ...PAID_TWICE,
  ...WRONG_MONEY,
  ...UNTRUE_ANSWERS,
  ...DOORS,
  ...LIVED,
];
