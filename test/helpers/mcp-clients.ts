import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type {
  BatchQuoteView,
  BatchView,
  CatalogEntry,
  ErrorBodyView,
  QuoteView,
  TaskView,
} from '@darkroom-service/contract';
import { compileCacheVariable } from '@darkroom-service/media/process';
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Certain } from './certain.ts';

/** The data that tools answer: a task, a batch, a model, a price, a list, a question for approval, or a refusal. */
export type ToolData = Certain<
  | (TaskView & { readonly replayed?: boolean; readonly idempotency_key?: string })
  | (BatchView & { readonly tasks?: readonly TaskOfBatch[] })
  | CatalogEntry
  | ((QuoteView | BatchQuoteView) & { readonly approve_over: string | null })
  | {
      readonly items: readonly (TaskOfBatch | TaskView | BatchView | CatalogEntry)[];
      readonly found?: number;
      readonly has_more?: boolean;
    }
  | { readonly status: 'approval_required'; readonly approval: string; readonly price: string }
  | { readonly error: ErrorBodyView['error'] & { readonly status?: number } }
>;

interface TaskOfBatch extends Pick<TaskView, 'task_id' | 'status' | 'error'> {
  readonly name: string | null;
  readonly url: string | null;
  /** In dollars. */
  readonly cost: string;
}

/** How a test reaches the tools. */
export interface McpConnection {
  readonly url: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: ClientOptions;
  /** 2026-07-28, or the revisions with a handshake. */
  readonly generation?: 'new' | 'old';
}

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Connects the official client to `/mcp`. */
export async function connectOverHttp(t: Pick<TestContext, 'after'>, connection: McpConnection): Promise<Client> {
  const headers = { authorization: `Bearer ${connection.key}`, ...connection.headers };
  const transport = new StreamableHTTPClientTransport(new URL(`${connection.url}/mcp`), { requestInit: { headers } });
  return await connect(t, connection, transport);
}

/** Connects the official client to a process of `darkroom mcp`. */
export async function connectOverStdio(
  t: Pick<TestContext, 'after'>,
  connection: Omit<McpConnection, 'key'> & {
    readonly words?: readonly string[];
    /** Such as where a login is kept. */
    readonly variables?: Readonly<Record<string, string>>;
    readonly key?: string;
  },
): Promise<Client> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-mcp-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...(connection.words ?? [])],
    cwd: directory,
    env: {
      PATH: process.env.PATH ?? '',
      DARKROOM_URL: connection.url,
      ...(connection.key === undefined ? {} : { DARKROOM_API_KEY: connection.key }),
      ...connection.variables,
      ...compileCacheVariable(),
    },
  });
  return await connect(t, connection, transport);
}

async function connect(
  t: Pick<TestContext, 'after'>,
  { generation = 'new', options = {} }: Pick<McpConnection, 'generation' | 'options'>,
  transport: Parameters<Client['connect']>[0],
): Promise<Client> {
  const negotiation = generation === 'new' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } as const } : {};
  const client = new Client({ name: 'test', version: '1.0.0' }, { ...options, ...negotiation });
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

/** The data of a tool's result. */
export function dataOf(result: Pick<CallToolResult, 'structuredContent' | 'content'>): ToolData {
  assert.ok(result.structuredContent, JSON.stringify(result.content));
  return result.structuredContent as ToolData;
}

/** All text of a tool's result. */
export function textOf(result: Pick<CallToolResult, 'content'>): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** Calls a tool and returns its result. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}
