import { Type } from 'typebox';
import { parseNatsUrl } from './nats-url.ts';
import { canParse, isPostgresUrl } from './url-checks.ts';
import { dollars, flag, list, microsOf, oneOf, text, type ValuesOf, webAddress } from './variable-types.ts';

/** Variables that turn additions off or set single ones. */
export const ADDITION_VARIABLES = {
  DARKROOM_APPROVE_OVER: Type.Optional(
    dollars(
      '0.50',
      'The price above which a person must agree before an [agent](mcp.md) orders; `0` asks for every order. `keys create --approve-over` sets it for one key. Unset: nobody is asked.',
    ),
  ),
  DARKROOM_MODERATION_URL: webAddress(
    'https://moderation.example.com/check',
    'Your [moderation service](operating.md#moderation-service).',
  ),
  DARKROOM_MODERATION_REQUIRED: flag(
    'While the moderation service does not answer, orders fail (`true`) or continue without it (`false`).',
    true,
  ),
  DARKROOM_NOTICES_URL: Type.Optional(
    text(
      {
        expected: 'a URL such as nats://user:password@host:4222, with up to 8 servers as a:4222,b:4222; or tls://',
        secret: true,
        description:
          'NATS servers that carry notices between processes instead of the database. A user without a password is a token.',
      },
      (value) => canParse(parseNatsUrl, value),
    ),
  ),
  DARKROOM_PARTS_URL: Type.Optional(
    text(
      {
        expected: 'a URL such as postgres://user:password@host:5432/parts, the same in all cells',
        secret: true,
        description:
          'A PostgreSQL database in which [cells](scaling.md#share-upstream-accounts) share the capacity and limits of their upstream accounts. Unset: each cell uses its settings alone.',
      },
      (value) => isPostgresUrl(value, false),
    ),
  ),
  DARKROOM_PROVENANCE_LOOKUP: oneOf(
    ['owner', 'public'],
    'Who learns from `/v1/provenance` that this service made a file: `owner`: its account. `public`: everybody learns that and when, without a key.',
    'owner',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    text(
      {
        expected: 'a URL such as http://127.0.0.1:4318',
        description:
          'The [OpenTelemetry](operating.md#traces) collector that gets traces and metrics. Its other `OTEL_…` variables are read from the environment of the process. Unset: nothing is traced.',
      },
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    ),
  ),
  DARKROOM_REQUEST_LOG: oneOf(
    ['all', 'changes', 'failures', 'off'],
    'Which requests the [request log](operating.md#see-what-a-key-sent) keeps: `changes` leaves out successful reads, `failures` keeps errors only.',
    'changes',
  ),
  DARKROOM_WITHOUT: list(/^[a-z][a-z0-9-]*$/, {
    expected: 'names of additions such as shares,mcp',
    description:
      'Additions to close, with routes, tools and commands: alerts, callbacks, client-commands, delivery, engines-command, examples, fleet, guide, local, mcp, moderation, openai, origins, people, privacy, provenance, receipts, request-log, shares, streams, tags, traces, webhooks. Their data stays. While one has open work, the start is refused.',
    default: '',
  }),
} as const;

export function additionsOf(values: ValuesOf<typeof ADDITION_VARIABLES>) {
  return {
    /** Names of additions whose doors are closed. */
    without: values.DARKROOM_WITHOUT as readonly string[],
    /** Micro-dollars; null = nobody is asked. */
    approveOver: microsOf(values.DARKROOM_APPROVE_OVER),
    /** The operator's moderation service; null = there is none. */
    moderation:
      values.DARKROOM_MODERATION_URL === undefined
        ? null
        : { url: values.DARKROOM_MODERATION_URL, required: values.DARKROOM_MODERATION_REQUIRED },
    /** `nats://…`; null = the database carries notices between processes. */
    noticesUrl: values.DARKROOM_NOTICES_URL ?? null,
    /** The database of the parts of upstream accounts; null = they are not shared. */
    partsUrl: values.DARKROOM_PARTS_URL ?? null,
    /** Who may learn that this service made a file. */
    provenanceLookup: values.DARKROOM_PROVENANCE_LOOKUP,
    /** Which requests the request log keeps. */
    requestLog: values.DARKROOM_REQUEST_LOG,
    /** Where traces and metrics are sent, without a slash at the end; null = nowhere. */
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? null,
  };
}
