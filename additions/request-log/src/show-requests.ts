import type { LoggedRequestView } from '@darkroom-service/contract';
import { type OutputOptions, show, table, usageFault, withLocalData } from '@darkroom-service/darkroom/kernel-cli';
import { listRequests } from './list-requests.ts';

interface RequestOptions extends OutputOptions {
  readonly key?: string;
  readonly account?: string;
  readonly failed?: boolean;
  readonly status?: string;
  readonly code?: string;
  readonly method?: string;
  readonly limit: string;
}

const MOST = 1_000;
const STATUS = /^([1-5]\d\d|[1-5]xx)$/;

export async function showRequests(options: RequestOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw usageFault(`--limit: expected a whole number from 1 to ${MOST}, found '${options.limit}'`);
  if (options.status !== undefined && !STATUS.test(options.status))
    throw usageFault(`--status: expected a status such as 404 or 4xx, found '${options.status}'`);
  const query = {
    keyId: options.key ?? null,
    accountId: options.account ?? null,
    status: options.failed === true ? 'failed' : (options.status ?? null),
    code: options.code ?? null,
    method: options.method?.toUpperCase() ?? null,
    since: null,
    until: null,
    after: null,
    limit,
  };
  const { items, nextAfter } = await withLocalData('refuse', ({ database }) => listRequests(database.read, query));
  const page = { items, limit, has_more: nextAfter !== null, next_after: nextAfter };
  const plain = items.map((entry) => entry.request_id).join('\n');
  show(options, { json: page, text: describe(items), plain });
}

function describe(items: readonly LoggedRequestView[]): string {
  if (items.length === 0) return 'There are no such requests.';
  const rows = items.map((entry) => [
    entry.answered_at,
    entry.key_id,
    entry.method,
    entry.path,
    entry.status === null ? 'left' : String(entry.status),
    entry.code ?? '',
    `${entry.duration_ms} ms`,
    entry.request_id,
  ]);
  return table(['ANSWERED', 'KEY', 'METHOD', 'PATH', 'STATUS', 'CODE', 'TOOK', 'REQUEST'], rows);
}
