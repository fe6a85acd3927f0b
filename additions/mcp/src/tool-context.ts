import type { Micros } from '@darkroom-service/contract';
import type {
  CallToolResult,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { CallApi } from './call-api.ts';

/** The context of the tools of one connection, or of one request. */
export interface ToolContext {
  readonly call: CallApi;
  /** Identity of the API key: an approval that was given to one key is not valid for another. */
  readonly owner: string;
  /** Codec that signs approvals. */
  readonly approvals: RequestStateCodec<Approval>;
  readonly conversation: Conversation;
}

/** A price that was shown to a person, and the order for which it was shown. Only this server can make one. */
export interface Approval {
  /** Fingerprint of the order, its idempotency key and its API key. */
  readonly order: string;
  /** Maximum cost of the order, in micro-dollars. */
  readonly amount: Micros;
}

/** The orders that share a budget. */
export interface Conversation {
  /** Id written into each order as `end_user`; null = orders are not assigned to a conversation. */
  readonly id: string | null;
  /** Budget in micro-dollars; null = no limit. */
  readonly budget: Micros | null;
}

/** A call of a tool, as the protocol delivers it. */
export interface ToolCall {
  readonly protocol: ServerContext;
  /** Beginning of the call by `world.monotonic()`: placing an order counts towards the wait for its result. */
  readonly begunAt: number;
  /** Whether the client can show a question to a person. */
  readonly canAsk: boolean;
  /** Whether the client declared the extension for tasks. */
  readonly takesTasks: boolean;
}

export type ToolResult = CallToolResult | InputRequiredResult;
