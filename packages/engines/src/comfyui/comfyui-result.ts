import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { statusWord } from '../upstream/status-word.ts';
import type { UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { ComfyServer } from './comfyui-server.ts';

/** Videos of core nodes are also listed under `images`, those of the most popular extension under `gifs`. */
const LISTS = ['images', 'gifs', 'videos'] as const;

interface CheckContext {
  readonly seed: number | null;
  readonly signal: AbortSignal;
}

/** Reads how an order ended from its entry in the history. */
export async function standingOfEntry(
  server: ComfyServer,
  entry: JsonObject,
  context: CheckContext,
): Promise<UpstreamState> {
  const { status_str: word, messages } = objectOf(entry.status);
  if (statusWord(word) === 'success') return await succeeded(server, entry, context);
  if (statusWord(word) !== 'error') return { state: 'unknown', word: String(word) };
  const events = Array.isArray(messages) ? messages : [];
  const find = (name: string) => events.find((event: JsonValue) => Array.isArray(event) && event[0] === name);
  if (find('execution_interrupted') !== undefined) return { state: 'canceled' };
  const failure = find('execution_error');
  const facts = objectOf(Array.isArray(failure) ? failure[1] : undefined);
  const { exception_message: message, node_type: node } = facts;
  const reason = typeof message === 'string' && message.trim() !== '' ? message : 'the workflow broke off';
  return {
    state: 'failed',
    class: 'upstream',
    message: typeof node === 'string' ? `${node}: ${reason}` : reason,
  };
}

async function succeeded(
  server: ComfyServer,
  entry: JsonObject,
  { seed, signal }: CheckContext,
): Promise<UpstreamState> {
  const files = Object.values(objectOf(entry.outputs)).flatMap((output) =>
    LISTS.flatMap((list) => {
      const items = objectOf(output)[list];
      return Array.isArray(items) ? items.map((item: JsonValue) => objectOf(item)) : [];
    }),
  );
  const named = files.filter(({ filename }) => typeof filename === 'string' && filename !== '');
  const saved = named.filter(({ type }) => type === 'output');
  // Previews count only if a workflow saves nothing.
  const delivered = saved.length > 0 || (await ignoredOutputs(server, entry, signal)) ? saved : named;
  if (delivered.length === 0) return { state: 'failed', class: 'upstream', message: 'the workflow saved no file' };
  const urls = delivered.map(({ filename, subfolder, type }) => {
    const query = new URLSearchParams({
      filename: String(filename),
      subfolder: typeof subfolder === 'string' ? subfolder : '',
      type: typeof type === 'string' ? type : 'output',
    });
    return server.upstream.rebase(`/view?${query}`);
  });
  return {
    state: 'succeeded',
    delivery: deliver(server.upstream, urls, { seed, headers: server.headers, dropText: true }),
  };
}

/** Tells whether the server executed only some of the graph's outputs, so that one that saves may be missing. */
async function ignoredOutputs(server: ComfyServer, { prompt }: JsonObject, signal: AbortSignal): Promise<boolean> {
  const [, , graph, , executed] = Array.isArray(prompt) ? prompt : [];
  if (!Array.isArray(executed)) return false;
  const others = Object.entries(objectOf(graph)).flatMap(([id, node]) =>
    executed.includes(id) ? [] : [String(objectOf(node).class_type)],
  );
  const answers = await Promise.all([...new Set(others)].map((type) => server.isOutput(type, signal)));
  return answers.includes(true);
}
