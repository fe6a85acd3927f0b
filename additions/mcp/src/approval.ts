import { formatMicros, type Micros } from '@darkroom-service/contract';
import { fingerprint } from '@darkroom-service/darkroom/kernel';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { Refusal } from './call-api.ts';
import { describeOrder, type Order } from './order.ts';
import type { Approval, ToolCall, ToolContext, ToolResult } from './tool-context.ts';

/** Time that a person has to approve, in seconds. */
const APPROVAL_SECONDS = 3_600;
const QUESTION = 'approve';

/**
 * Creates the codec that signs and verifies approvals.
 * @param secret at least 32 bytes, equal in all processes that may get the answer
 */
export function createApprovals(secret: string): RequestStateCodec<Approval> {
  return createRequestStateCodec<Approval>({ key: secret, ttlSeconds: APPROVAL_SECONDS });
}

/**
 * Returns the price that a person agreed to for this order, or null if nobody was asked yet.
 * @param token an approval that came as an argument, from a client that cannot ask
 * @throws Refusal `approval_declined`, `approval_invalid`
 */
export async function approvedPrice(
  context: ToolContext,
  call: ToolCall,
  order: Order,
  token: string | undefined,
): Promise<Micros | null> {
  const { mcpReq } = call.protocol;
  const asked = mcpReq.requestState<Approval>();
  if (asked !== undefined) {
    const answer = inputResponse(mcpReq.inputResponses, QUESTION);
    if (answer.kind === 'missing') return null;
    const content = acceptedContent<{ readonly approve?: unknown }>(mcpReq.inputResponses, QUESTION);
    if (content?.approve !== true) throw declined();
    return priceFor(context, order, asked);
  }
  if (token === undefined) return null;
  const approval = await context.approvals.verify(token, call.protocol).catch(() => null);
  if (approval === null) throw invalid('it has expired, or this server did not issue it');
  return priceFor(context, order, approval);
}

/** Asks for approval: the person through the client, or else the agent, which gets a token for its next call. */
export async function askForApproval(
  context: ToolContext,
  call: ToolCall,
  order: Order,
  price: { readonly amount: Micros; readonly limit: Micros },
): Promise<ToolResult> {
  const cost = `${formatMicros(price.amount)} USD`;
  const approval: Approval = { order: digestOf(context, order), amount: price.amount };
  const token = await context.approvals.mint(approval, call.protocol);
  if (call.canAsk) {
    const schema = { type: 'boolean', title: `Order for at most ${cost}` } as const;
    return inputRequired({
      inputRequests: {
        [QUESTION]: inputRequired.elicit({
          message: `${describeOrder(order)} costs ${cost}. Nothing is ordered unless you agree.`,
          requestedSchema: { type: 'object', properties: { approve: schema }, required: ['approve'] },
        }),
      },
      requestState: token,
    });
  }
  return confirmationNeeded(order, cost, formatMicros(price.limit), token);
}

function confirmationNeeded(order: Order, cost: string, limit: string, token: string): CallToolResult {
  const text = `Nothing was ordered. ${describeOrder(order)} costs ${cost}, and orders above ${limit} USD need the agreement of a person. Tell them the price and ask. Only if they agree, call the tool again with the same arguments, idempotency_key "${order.key}" and this approval: ${token}`;
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      status: 'approval_required',
      price: cost.replace(' USD', ''),
      currency: 'USD',
      approval: token,
      idempotency_key: order.key,
    },
  };
}

function priceFor(context: ToolContext, order: Order, approval: Approval): Micros {
  if (approval.order === digestOf(context, order)) return approval.amount;
  throw invalid('it belongs to another order; the arguments must be the same as when the price was shown');
}

function digestOf({ owner }: ToolContext, { path, key, body }: Order): string {
  return fingerprint({ owner, path, key, body });
}

function declined(): Refusal {
  return new Refusal({
    code: 'approval_declined',
    message: 'The person did not agree to the price. Nothing was ordered.',
  });
}

function invalid(reason: string): Refusal {
  const message = `The approval cannot be used: ${reason}. Nothing was ordered. Call the tool without it to get the price again.`;
  return new Refusal({ code: 'approval_invalid', message });
}
