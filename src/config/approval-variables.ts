import { Type } from 'typebox';
import { parseMicros } from '../base/money.ts';

const expected = 'an amount of US dollars such as 0.50';

/** When a person must agree to the order of an agent. */
export const APPROVAL_VARIABLES = {
  DARKROOM_APPROVE_OVER: Type.Optional(
    Type.Refine(
      Type.String({
        expected,
        description:
          'The price in US dollars above which a person must agree before an agent orders through MCP; `0` asks for every order. A key made with `--approve-over` has its own. Unset: nobody is asked.',
      }),
      (value) => (parseMicros(value) ?? -1) >= 0,
      () => expected,
    ),
  ),
} as const;
