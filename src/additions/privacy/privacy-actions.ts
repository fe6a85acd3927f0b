import { readFile } from 'node:fs/promises';
import { decodeText } from '@darkroom-service/contract';
import type { Database, TaskHooks } from '../../kernel.ts';
import {
  type OutputOptions,
  printJson,
  type RepeatableOptions,
  readStandardInput,
  STANDARD,
  show,
  usageFault,
  withLocalData,
  writeOnce,
} from '../../kernel-cli.ts';
import { requestErasure, requireRequest, viewErasure } from './data-requests.ts';
import { type KnownErasure, knownErasure, parseKnownErasure, repeatErasure } from './known-erasures.ts';
import { undecidedUploads } from './undecided-uploads.ts';

const PORTION = 500;

export async function erase(
  accountId: string,
  options: OutputOptions & RepeatableOptions & { readonly endUser?: string; readonly uploads?: boolean },
): Promise<void> {
  const { uploads = false } = options;
  const endUser = options.endUser ?? null;
  const { answer: made } = await writeOnce('refuse', options, {
    asked: { command: 'privacy erase', accountId, endUser, ...(uploads ? { uploads } : {}) },
    make: (database, by) => requestErasure(database, by, { accountId, endUser, uploads }),
    again: async (read, id) => await viewErasure(read, await requireRequest(read, 'erasure', id)),
  });
  const text = `${made.erasure_id}: a worker erases it, at once if one runs. See darkroom privacy erasures.`;
  show(options, { json: made, text, plain: made.erasure_id });
}

export async function printErasures(options: OutputOptions): Promise<void> {
  await withLocalData('refuse', async ({ database }) => {
    if (options.json) {
      const items = await Array.fromAsync(allErasures(database));
      show(options, { json: { items }, text: '' });
      return;
    }
    for await (const one of allErasures(database)) printJson(one, 0);
  });
}

export function repeatWith(hooks: readonly TaskHooks[]): (file: string, options: OutputOptions) => Promise<void> {
  return (file, options) => repeat(hooks, file, options);
}

async function repeat(hooks: readonly TaskHooks[], file: string, options: OutputOptions): Promise<void> {
  const content = file === STANDARD ? await readStandardInput('the list') : await readFile(file);
  const lines = decodeText(content, file === STANDARD ? 'the list' : file).split('\n');
  const known = lines.flatMap((line, at): KnownErasure[] => {
    if (line.trim() === '') return [];
    const one = parseKnownErasure(line);
    if (one === null)
      throw usageFault(`${file}: line ${at + 1} is no erasure. Expected what darkroom privacy erasures prints.`);
    return [one];
  });
  const repeated = await withLocalData('refuse', async ({ database, by }) => {
    let count = 0;
    for (const one of known) if (await repeatErasure({ database, hooks }, by, one)) count++;
    return count;
  });
  const text = `${repeated} of ${known.length} erasures are repeated; the others were done or have nothing to erase.`;
  show(options, { json: { known: known.length, repeated }, text });
}

async function* allErasures({ read }: Database): AsyncGenerator<KnownErasure & { undecided_uploads?: string[] }> {
  for (let after = ''; ; ) {
    const rows = await read.all(
      read.builder
        .selectFrom('data_requests')
        .selectAll()
        .where('kind', '=', 'erasure')
        .where('id', '>', after)
        .orderBy('id')
        .limit(PORTION),
    );
    for (const row of rows) {
      const undecided = (await undecidedUploads(read, row)).map(({ id }) => id);
      yield { ...knownErasure(row), ...(undecided.length > 0 ? { undecided_uploads: undecided } : {}) };
    }
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.id ?? after;
  }
}
