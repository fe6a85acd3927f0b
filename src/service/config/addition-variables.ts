import { type Micros, parseMicros } from '@darkroom-service/contract/money';
import { type Static, Type } from 'typebox';

const expected = 'an amount of US dollars such as 0.50';

/** Which additions are closed, and settings of single ones. */
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
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.Refine(
      Type.String({
        expected: 'a URL such as http://127.0.0.1:4318',
        description:
          'The [OpenTelemetry](operating.md#traces) collector that gets traces and metrics. Its other `OTEL_…` variables are read from the environment of the process. Unset: nothing is traced.',
      }),
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      () => 'a URL such as http://127.0.0.1:4318',
    ),
  ),
  DARKROOM_WITHOUT: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), {
    expected: 'names of additions such as shares,mcp',
    description:
      'Additions to close, with routes, tools and commands: alerts, delivery, local, mcp, openai, origins, people, privacy, provenance, receipts, shares, tags, traces. Their data stays. While one has open work, the start is refused.',
    default: '',
  }),
} as const;

type Values = { readonly [Name in keyof typeof ADDITION_VARIABLES]: Static<(typeof ADDITION_VARIABLES)[Name]> };

export interface AdditionConfig {
  /** Names of additions whose doors are closed. */
  readonly without: readonly string[];
  /** Micro-dollars; null = nobody is asked. */
  readonly approveOver: Micros | null;
  /** Who may learn that this service made a file. */
  readonly provenanceLookup: 'owner' | 'public';
  /** Where traces and metrics are sent, without a slash at the end; null = nowhere. */
  readonly otlpEndpoint: string | null;
}

export function additionsOf(values: Values): AdditionConfig {
  return {
    without: values.DARKROOM_WITHOUT,
    approveOver: parseMicros(values.DARKROOM_APPROVE_OVER ?? ''),
    provenanceLookup: values.DARKROOM_PROVENANCE_LOOKUP,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? null,
  };
}
