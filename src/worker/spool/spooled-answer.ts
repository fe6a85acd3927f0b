import type { JsonValue } from '@darkroom-service/contract';
import { TOKEN_KINDS } from '@darkroom-service/contract/catalog';
import type { DeliveredOutput } from '@darkroom-service/engines';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Answer, AnswerKey } from './answer.ts';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);

const SpooledOutput = Type.Object({
  /** The name of a file beside the record, or the upstream's URL of the result. */
  source: Type.Union([
    Type.Object({
      file: Type.String({ pattern: '^[0-9]+$' }),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    Type.Object({ url: Type.String(), allow_origins: Type.Array(Type.String()) }),
  ]),
  seed: Nullable(Type.Number()),
  revised_prompt: Nullable(Type.String()),
  tiles: Nullable(Type.Number()),
  drop_text: Type.Optional(Type.Boolean()),
  explanation: Type.Optional(Type.Array(Type.String())),
});
export type SpooledOutput = Static<typeof SpooledOutput>;

const Head = {
  version: Type.Literal(1),
  task_id: Type.String(),
  engine: Type.String(),
  /** Milliseconds since 1970. */
  saved_at: Type.Integer(),
};

/** An answer on disk that is damaged. */
export class DamagedAnswer extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DamagedAnswer';
  }
}

/** The record of a spooled answer in `answer.json`. The fence is in the folder's name. */
const SpooledAnswer = Type.Union([
  Type.Object({
    ...Head,
    kind: Type.Literal('operation'),
    operation: Type.Unknown(),
    job: Nullable(Type.Object({ engine: Type.String(), name: Type.String() })),
  }),
  Type.Object({
    ...Head,
    kind: Type.Literal('delivery'),
    outputs: Type.Array(SpooledOutput),
    keep: Type.Optional(Type.Unknown()),
    upstream_cost: Type.Optional(
      Type.Union([
        Type.Object({ usd: Type.String() }),
        Type.Object({ units: Type.String() }),
        Type.Object({ tokens: Type.Partial(Type.Record(Type.Enum([...TOKEN_KINDS]), Type.Integer({ minimum: 0 }))) }),
      ]),
    ),
    named: Type.Optional(Type.Object({ quality: Type.Optional(Type.String()), model: Type.Optional(Type.String()) })),
  }),
]);
type SpooledAnswer = Static<typeof SpooledAnswer>;

export interface AnswerFacts {
  readonly engine: string;
  readonly savedAt: number;
}

/**
 * Returns the stored form of a file at a URL. Credentials are not stored: the results of upstreams that answer `start`
 * with a result need none.
 */
export function hostedSource({
  url,
  allowOrigins = [],
}: Extract<DeliveredOutput['source'], { readonly url: string }>): SpooledOutput['source'] {
  return { url, allow_origins: [...allowOrigins] };
}

/** Converts an answer to the record that the spool writes. @param sources the file or URL of each output's media */
export function toRecord(
  { taskId }: AnswerKey,
  { engine, savedAt }: AnswerFacts,
  answer: Answer,
  sources: readonly SpooledOutput['source'][],
): SpooledAnswer {
  const head = { version: 1 as const, task_id: taskId, engine, saved_at: savedAt };
  if (answer.kind === 'operation') return { ...head, ...answer };
  const { outputs, keep, upstreamCost, named } = answer.delivery;
  return {
    ...head,
    kind: 'delivery',
    outputs: outputs.map(({ seed, revisedPrompt, tiles, dropText, explanation }, index) => ({
      source: sources[index] as SpooledOutput['source'],
      seed,
      revised_prompt: revisedPrompt,
      tiles,
      ...(dropText === undefined ? {} : { drop_text: dropText }),
      ...(explanation === undefined ? {} : { explanation: [...explanation] }),
    })),
    ...(keep === undefined ? {} : { keep }),
    ...(upstreamCost === undefined ? {} : { upstream_cost: upstreamCost }),
    ...(named === undefined ? {} : { named }),
  };
}

/** Parses a record. @throws Error with what is wrong in the text */
export function parseRecord(text: string, key: Pick<AnswerKey, 'taskId'>): SpooledAnswer {
  return checkRecord(JSON.parse(text), key);
}

/** Checks a parsed record. @throws Error with what is wrong in it */
export function checkRecord(record: unknown, { taskId }: Pick<AnswerKey, 'taskId'>): SpooledAnswer {
  if (!Value.Check(SpooledAnswer, record)) {
    const [fault] = Value.Errors(SpooledAnswer, record);
    throw new Error(`answer.json is not a record of version 1: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
  }
  if (record.task_id !== taskId) throw new Error(`answer.json belongs to the task ${record.task_id}`);
  return record;
}

/** Converts a record of the spool to the answer. @param pathOf returns the path of a file beside the record */
export function fromRecord(record: SpooledAnswer, pathOf: (file: string) => string): Answer {
  if (record.kind === 'operation') {
    return { kind: 'operation', operation: record.operation as JsonValue, job: record.job };
  }
  const outputs = record.outputs.map(
    ({ source, seed, revised_prompt, tiles, drop_text, explanation }): DeliveredOutput => ({
      source:
        'file' in source ? { path: pathOf(source.file) } : { url: source.url, allowOrigins: source.allow_origins },
      seed,
      revisedPrompt: revised_prompt,
      tiles,
      ...(drop_text === undefined ? {} : { dropText: drop_text }),
      ...(explanation === undefined ? {} : { explanation }),
    }),
  );
  const { keep, upstream_cost: upstreamCost, named } = record;
  const facts = { ...(upstreamCost === undefined ? {} : { upstreamCost }), ...(named === undefined ? {} : { named }) };
  return {
    kind: 'delivery',
    delivery: { outputs, ...(keep === undefined ? {} : { keep: keep as JsonValue }), ...facts },
  };
}
