import type { Config } from '../config/config.ts';
import { readRunning } from '../local/running.ts';
import { openStore } from '../local/store.ts';

/** Says which models are pulled, what their servers do now, and which cannot be used. */
export async function diagnoseLocalModels({ local }: Config): Promise<{
  readonly status: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice: string | null;
}> {
  const store = openStore(local.directory);
  const records = await store.records();
  if (records.length === 0) return { status: 'ok', found: 'none is pulled', advice: null };
  const servers = new Map((await readRunning(local.directory)).map((server) => [server.name, server]));
  const found = records.map(({ name }) => `${name} (${servers.get(name)?.state ?? 'not loaded'})`).join(', ');
  const missing: string[] = [];
  for (const { name, files } of records) {
    for (const file of files) {
      if (!(await store.hasBlob(file.sha256, file.bytes))) missing.push(`${name} lacks ${file.name}`);
    }
  }
  if (missing.length > 0)
    return { status: 'failed', found: `${found}: ${missing.join(', ')}`, advice: 'Pull the model again.' };
  const reasons = [...servers.values()].flatMap(({ name, state, reason }) =>
    state === 'unavailable' ? [`${name}: ${reason}`] : [],
  );
  if (reasons.length === 0) return { status: 'ok', found, advice: null };
  const advice = 'See darkroom local show for its output, and try it with darkroom local run.';
  return { status: 'warning', found: `${found}. ${reasons.join('. ')}`, advice };
}
