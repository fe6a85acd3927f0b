import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACTIONS } from '@darkroom-service/contract/catalog';
import { Task } from '@darkroom-service/contract/schemas';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { startTestService, type TaskAnswer, type TestService } from './helpers/service.ts';
import { createStoppableEngine } from './helpers/swift-engine.ts';

/** One example of docs/api.md, as its block says it. */
interface Example {
  readonly status: number;
  /** Sent without a key. */
  readonly open: boolean;
  /** The name under which later examples speak of what this one made. */
  readonly as: string | null;
  /** The type of a file that is sent in place of a body. */
  readonly upload: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const DOCUMENT = readFileSync(join(import.meta.dirname, '..', 'docs', 'api.md'), 'utf8');
const EXAMPLES = [...DOCUMENT.matchAll(/^```http ([^\n]*)\n(.*?)\n```$/gms)].map(([, words = '', text = '']) =>
  readExample(words, text),
);

test('every example of docs/api.md is answered as the page says', async (t) => {
  assert.ok(EXAMPLES.length > 20, `${EXAMPLES.length} examples`);
  const service = await startTestService(t, { service: { engines: [createStoppableEngine()] } });
  const made = new Map<string, Made>();
  for (const example of EXAMPLES) {
    const fill = (text: string) => text.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => idOf(made, name));
    const path = fill(example.path);
    const response = await send(service, example, path, example.body === null ? null : fill(example.body));
    const text = await response.text();
    assert.equal(response.status, example.status, `${example.method} ${path} answered ${text.slice(0, 2000)}`);
    if (example.as === null) continue;
    const { data } = JSON.parse(text) as { readonly data: Made };
    made.set(example.as, 'Prefer' in example.headers ? await ended(service, data) : data);
  }
  for (const name of ['image', 'film', 'grid', 'large', 'edited'])
    assert.equal(made.get(name)?.status, 'succeeded', name);
  assert.equal(made.get('refused')?.error.code, 'content_policy');
  const tasks = [...made].filter(([name]) => name !== 'file').map(([, task]) => task);
  assert.equal(tasks[0]?.cost.state, 'charged');
});

/** What takes longer than the page waits, on a busy machine, is waited for like by a reader. */
async function ended({ call, keys }: TestService, task: TaskAnswer): Promise<TaskAnswer> {
  return await until(
    async () => (await call(keys.test, 'GET', task.urls.self, undefined, { prefer: 'wait=60' })).data,
    ({ completed_at }) => completed_at !== null,
  );
}

test('the fields of a task that docs/api.md explains are fields of a task', () => {
  const section = DOCUMENT.split('\n## Task object\n')[1]?.split('\n## ')[0] ?? '';
  const named = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name),
  );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !(name in Task.properties)),
    [],
  );
});

test('docs/api.md lists the follow-up actions, each on and giving what it does', async (t) => {
  const rows = [...DOCUMENT.matchAll(/^\| ((?:`[a-z_]+` ?)+)\| ([^|]+) \|[^|]*\| ([^|]+) \|$/gm)];
  const told = rows.flatMap(([, names = '', on = '', gives = '']) =>
    [...names.matchAll(/`([a-z_]+)`/g)].map(([, name]) => [name, on.split(' that ')[0], gives]),
  );
  const words = { grid: 'a grid', single: 'an image', any: 'any', parent: 'same as the parent' } as const;
  const real = Object.entries(ACTIONS).map(([name, { on, gives }]) => [
    name,
    words[on],
    gives === 'single' && name === 'upscale' ? 'the tile as an image' : words[gives],
  ]);
  const isOfTool = ([, , gives = '']: readonly (string | undefined)[]) => gives.startsWith('an order of the model ');
  assert.deepEqual(told.filter((row) => !isOfTool(row)).sort(), real.sort());
  const tools = told.filter(isOfTool).flatMap(([, , gives = '']) => gives.match(/(?<=`)[a-z][a-z0-9.-]+(?=`)/g) ?? []);
  const { items } = (await (await startTestService(t)).call(null, 'GET', '/v1/catalog')).data;
  assert.deepEqual(
    tools.filter((id) => !items.some(({ model_id }) => model_id === id)),
    [],
  );
});

function readExample(words: string, text: string): Example {
  const [head = '', ...rest] = text.split('\n');
  const [method = '', path = ''] = head.split(' ');
  const blank = rest.findIndex((line) => line === '' || line.startsWith('{'));
  const headers = (blank < 0 ? rest : rest.slice(0, blank)).map((line) => line.split(/: (.*)/));
  const body = blank < 0 ? null : rest.slice(blank).join('\n').trim();
  return {
    status: Number(words.split(' ')[0]),
    open: / open\b/.test(words),
    as: / as=([a-z]+)/.exec(words)?.[1] ?? null,
    upload: / upload=(\S+)/.exec(words)?.[1] ?? null,
    method,
    path,
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name, value])),
    body,
  };
}

async function send(
  { url, keys }: TestService,
  example: Example,
  path: string,
  body: string | null,
): Promise<Response> {
  const { method, headers, open, upload } = example;
  const file =
    upload === null
      ? null
      : await sharp({ create: { width: 320, height: 240, channels: 3, background: '#367' } })
          .png()
          .toBuffer();
  const content = file ?? body;
  return await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(open ? {} : { authorization: `Bearer ${keys.test}` }),
      ...(content === null ? {} : { 'content-type': upload ?? 'application/json' }),
      ...headers,
    },
    ...(content === null ? {} : { body: typeof content === 'string' ? content : new Uint8Array(content) }),
  });
}

/** What an example made: mostly a task. */
type Made = TaskAnswer & { readonly file_id?: string; readonly share_id?: string };

function idOf(made: ReadonlyMap<string, Made>, name: string): string {
  const data = made.get(name);
  assert.ok(data !== undefined, `no example before this one makes {${name}}`);
  // A share names its task too.
  return data.share_id ?? data.task_id ?? data.batch_id ?? data.file_id ?? '';
}
