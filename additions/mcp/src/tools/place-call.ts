import type { JsonObject } from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { approvedPrice, askForApproval } from '../approval.ts';
import { type OrderPath, orderOf } from '../order.ts';
import { placeOrder } from '../place-order.ts';
import { errorResult } from '../results.ts';
import type { ToolCall, ToolContext, ToolResult } from '../tool-context.ts';
import { WaitSeconds } from './tool-parts.ts';

export const COSTS =
  'It costs money. Equal calls order once: a repeated call returns what the first one ordered. For another result of the same words pass a new idempotency_key.';

/** Arguments of every tool that orders. */
export const orderFields = {
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Names this order. Calls with the same key and arguments are one order. Default: made of the arguments.'),
  wait_seconds: WaitSeconds,
  approval: z
    .string()
    .max(LONGEST.address)
    .optional()
    .describe('Only from an answer that asked for approval, after a person agreed.'),
};

interface PlaceRequest {
  readonly path: OrderPath;
  readonly fields: JsonObject;
  /** Idempotency key. Undefined: made of the arguments. */
  readonly key: string | undefined;
  readonly approval: string | undefined;
}

/**
 * Carries out a call that orders: asks for approval if it is needed, places the order, and answers.
 * @param answer makes the result; `more` has the key of the order and whether it existed before
 */
export async function placeCall<Placed>(
  context: ToolContext,
  call: ToolCall,
  request: PlaceRequest,
  answer: (placed: Placed, more: Readonly<Record<string, unknown>>) => Promise<CallToolResult>,
): Promise<ToolResult> {
  let { key } = request;
  try {
    const wanted = orderOf(request.path, request.fields, key, context.conversation);
    key = wanted.key;
    const approved = await approvedPrice(context, call, wanted, request.approval);
    const placement = await placeOrder<Placed>(context, wanted, approved, call.begunAt);
    if (placement.kind === 'needs approval') return await askForApproval(context, call, wanted, placement);
    return await answer(placement.placed, { idempotency_key: key, replayed: placement.replayed });
  } catch (error) {
    return errorResult(error, key === undefined ? {} : { idempotency_key: key });
  }
}
