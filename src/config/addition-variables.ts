import { parseMicros } from '@darkroom-service/contract/money';
import { Type } from 'typebox';

const expected = 'an amount of US dollars such as 0.50';

/** Which additions are closed, and when a person must agree to the order of an agent. */
export const ADDITION_VARIABLES = {
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
  DARKROOM_WITHOUT: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), {
    expected: 'names of additions such as shares,mcp',
    description:
      'Additions whose routes, tools and commands are closed: alerts, local, mcp, openai, shares, tags. What they keep stays. The start is refused while one has open work.',
    default: '',
  }),
} as const;
