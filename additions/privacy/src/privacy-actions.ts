import { readFile } from 'node:fs/promises';
import { type ApiClient, clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import { decodeText } from '@darkroom-service/contract';
import {
  idempotencyHeaders,
  type OutputOptions,
  printJson,
  type RepeatableOptions,
  readStandardInput,
  STANDARD,
  show,
  usageFault,
} from '@darkroom-service/darkroom/kernel-cli';
import { type KnownErasure, parseKnownErasure } from './known-erasures.ts';
import type { ErasureView, RepeatedErasureView } from './request-wire.ts';

/** Number of entries of a page of a list. */
const PORTION = 100;

export async function erase(
  accountId: string,
  options: OutputOptions & RepeatableOptions & { readonly endUser?: string; readonly uploads?: boolean },
): Promise<void> {
  const { endUser, uploads = false } = options;
  const body = {
    account_id: accountId,
    ...(endUser === undefined ? {} : { end_user: endUser }),
    ...(uploads ? { uploads } : {}),
  };
  const headers = idempotencyHeaders(options);
  const made = await clientOfEnvironment().post<ErasureView>('/admin/v1/erasures', body, { headers });
  const text = `${made.erasure_id}: a worker erases it, at once if one runs. See darkroom privacy erasures.`;
  show(options, { json: made, text, plain: made.erasure_id });
}

export async function printErasures(options: OutputOptions): Promise<void> {
  const items = await allErasures(clientOfEnvironment());
  if (options.json) show(options, { json: { items }, text: '' });
  else for (const one of items) printJson(one, 0);
}

export async function repeat(file: string, options: OutputOptions): Promise<void> {
  const content = file === STANDARD ? await readStandardInput('the list') : await readFile(file);
  const lines = decodeText(content, file === STANDARD ? 'the list' : file).split('\n');
  const erasures = lines.flatMap((line, at): KnownErasure[] => {
    if (line.trim() === '') return [];
    const one = parseKnownErasure(line);
    if (one === null)
      throw usageFault(`${file}: line ${at + 1} is no erasure. Expected what darkroom privacy erasures prints.`);
    return [one];
  });
  const client = clientOfEnvironment();
  let repeated = 0;
  for (const one of erasures)
    if ((await client.post<RepeatedErasureView>('/admin/v1/erasures/repeat', one)).repeated) repeated++;
  const known = erasures.length;
  const text = `${repeated} of ${known} erasures are repeated; the others were done or have nothing to erase.`;
  show(options, { json: { known, repeated }, text });
}

/** Reads all erasures, the oldest first. */
async function allErasures(client: ApiClient): Promise<(KnownErasure & { undecided_uploads?: readonly string[] })[]> {
  const items: ErasureView[] = [];
  for (let after: string | undefined, more = true; more; after = items.at(-1)?.erasure_id) {
    const query = after === undefined ? '' : `&after=${after}`;
    const page = await client.get<{ items: ErasureView[]; has_more: boolean }>(
      `/admin/v1/erasures?limit=${PORTION}${query}`,
    );
    items.push(...page.items);
    more = page.has_more;
  }
  return items.reverse().map(({ erasure_id, account_id, end_user_digest, requested_at, uploads, ...one }) => ({
    erasure_id,
    account_id,
    end_user_digest,
    requested_at: Date.parse(requested_at),
    ...(uploads ? { uploads: true as const } : {}),
    ...(one.undecided_uploads.length > 0 ? { undecided_uploads: one.undecided_uploads } : {}),
  }));
}
