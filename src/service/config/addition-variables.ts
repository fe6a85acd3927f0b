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
          'The price above which a person must agree before an [agent](mcp.md) orders; `0` asks for every order. `keys create --approve-over` sets it for one key. Unset: nobody is asked.',
      }),
      (value) => (parseMicros(value) ?? -1) >= 0,
      () => expected,
    ),
  ),
  DARKROOM_PROVENANCE_LOOKUP: Type.Enum(['owner', 'public'], {
    expected: 'one of owner, public',
    description:
      'Who learns from `/v1/provenance` that this service made a file: `owner`: its account. `public`: everybody learns that and when, without a key.',
    default: 'owner',
  }),
  DARKROOM_WITHOUT: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), {
    expected: 'names of additions such as shares,mcp',
    description:
      'Additions to close, with routes, tools and commands: alerts, local, mcp, openai, origins, receipts, shares, tags. Their data stays. While one has open work, the start is refused.',
    default: '',
  }),
} as const;
