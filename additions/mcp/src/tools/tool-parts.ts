import { LONGEST_WAIT_SECONDS, world } from '@darkroom-service/contract';
import { LONGEST, MOST } from '@darkroom-service/contract/parts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { TASKS_EXTENSION } from '../protocol-tasks.ts';
import type { ToolCall } from '../tool-context.ts';

/** Hints for clients, by which they decide what an agent may do without asking. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;
export const ORDERS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
} as const;

export const WaitSeconds = z
  .number()
  .min(0)
  .max(LONGEST_WAIT_SECONDS)
  .default(LONGEST_WAIT_SECONDS)
  .describe('How long to wait for the result; 0 = answer at once. wait_for_task waits on.');

/** Returns how many of the seconds are left for which a call waits. */
export function waitLeft({ begunAt }: ToolCall, seconds: number): number {
  return Math.max(0, seconds - (world.monotonic() - begunAt) / 1000);
}

const MOST_FALLBACKS = 4;

/** Schema of an id or another short word. */
export const Name = z.string().max(200);
export const Prompt = z.string().max(LONGEST.text);

const TOO_MANY = `Expected at most ${MOST.names} fields.`;

/** Returns the schema of an object whose other fields a model or a batch judges. Their number is limited. */
export function openFields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).refine(hasFewNames, TOO_MANY).meta({ maxProperties: MOST.names });
}

function hasFewNames(fields: object): boolean {
  return Object.keys(fields).length <= MOST.names;
}

const MaxPrice = z
  .union([Name, z.number().min(0)])
  .optional()
  .describe('US dollars that the order may cost at most. If it costs more, it is refused.');
const AllowDearer = z
  .boolean()
  .optional()
  .describe(
    'true: while no upstream is ready at the price of the quote, the order may go to a dearer one, up to max_price, which it needs. It holds the highest_amount of the quote.',
  );

/** Limits of a price, for every order. */
export const priceFields = { max_price: MaxPrice, allow_dearer: AllowDearer };

/** Arguments that say how far an order may go beyond its first model, for every order but an action. */
export const fallbackFields = {
  fallback_models: z
    .array(Name)
    .max(MOST_FALLBACKS)
    .optional()
    .describe(
      'Further models of the same type, in sequence: the order goes on to the next if certainly no upstream took it for the one before. It holds the price of the dearest and is charged that of the one that made it.',
    ),
  fallback_on_content_policy: z
    .boolean()
    .optional()
    .describe('true: it also goes on to its next model when an upstream refuses its content.'),
};

export const TaskId = Name.describe(
  'The task_id of an order, such as img_01kafx2r5gq3v8m1t0z6y4n7wd, or the batch_id of a batch (bat_…).',
);

/** Orders of a batch, in the shape of `POST /v1/batches`. */
export const BatchOrders = z
  .array(
    z.strictObject({
      name: Name.optional().describe('Names the order within the batch.'),
      operation: z.enum(['images', 'videos', 'actions']).describe('A picture, a film, or a follow-up action.'),
      body: openFields({}).describe('The fields of create_picture, create_film or act_on_picture: model_id, prompt, …'),
      vary: z
        .record(z.string(), z.array(z.unknown()).min(1).max(MOST.values))
        .refine(hasFewNames, TOO_MANY)
        .meta({ maxProperties: MOST.names })
        .optional()
        .describe('Lists of values for further fields: one order for each combination, such as { "seed": [1, 2, 3] }.'),
    }),
  )
  .min(1)
  .max(10_000);

/** The part of a request's envelope that is read here; the package gives it no type. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

/**
 * Reads the capabilities of a call's client: from the request since revision 2026-07-28, from the connection before.
 */
export function readCall(server: McpServer, protocol: ServerContext): ToolCall {
  const envelope: Envelope | undefined = protocol.mcpReq.envelope;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation, extensions } = declared ?? server.server.getClientCapabilities() ?? {};
  const takesForms = elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
  return {
    protocol,
    begunAt: world.monotonic(),
    canAsk: takesForms,
    takesTasks: declared !== undefined && extensions?.[TASKS_EXTENSION] !== undefined,
  };
}
