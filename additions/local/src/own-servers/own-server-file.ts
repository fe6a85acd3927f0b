import { resolve } from 'node:path';
import { nearestName } from '@darkroom-service/contract';
import type { VariableFault } from '@darkroom-service/darkroom/kernel';
import { type Entry, entriesOf, isEntry, shown, withVariables } from '@darkroom-service/darkroom/kernel-cli';
import { type NetworkSetting, type OwnModel, type OwnServer, PORT_WORD } from './own-server.ts';
import { type Field, MODEL_FIELDS, REQUIRED_FIELDS, SERVER_FIELDS } from './own-server-fields.ts';

interface FileParts {
  /** Environment of the process, for `${NAME}` in texts. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Value of DARKROOM_LOCAL_NETWORK. */
  readonly network: NetworkSetting;
  /** The base of a relative path. */
  readonly directory: string;
}

type Report = (field: string, message: string) => void;

const VARIABLE = 'DARKROOM_LOCAL_SERVERS_FILE';
const LIST = { field: 'servers', example: '{"name": "comfy", "api": "comfyui", "command": […], …}' };
const DEFAULT_SIZES = { '1:1': '1024x1024' };
const MEGABYTE = 1024 * 1024;
/** Rules for the names of models, by interface of the server. */
const MODEL_NAMES: Readonly<Record<OwnServer['api'], Field>> = {
  'sd-server': { expected: 'img_gen or vid_gen', accepts: (name) => name === 'img_gen' || name === 'vid_gen' },
  comfyui: {
    expected: 'the name of a workflow such as sdxl-text-to-image',
    accepts: (name) => /^[a-z0-9][a-z0-9._-]*$/.test(String(name)),
  },
  'openai-images': { expected: 'a name', accepts: () => true },
};

/** Reads the own servers of a file and finds all of its faults. A fault never repeats a value of the environment. */
export function ownServersOf(
  path: string | undefined,
  parts: FileParts,
): { readonly servers: OwnServer[]; readonly faults: VariableFault[] } {
  if (path === undefined) return { servers: [], faults: [] };
  const messages: string[] = [];
  const list = entriesOf(LIST, path, parts.directory, messages);
  const servers = list.flatMap((raw, index) => {
    const report: Report = (field, message) => messages.push(`${path}: servers[${index}]${field}: ${message}`);
    if (isEntry(raw)) return readServer(raw, parts, report) ?? [];
    report('', 'expected an object');
    return [];
  });
  for (const message of doubles(list)) messages.push(`${path}: ${message}`);
  return { servers, faults: messages.map((message) => ({ variable: VARIABLE, message })) };
}

function readServer(raw: Entry, { environment, network, directory }: FileParts, report: Report): OwnServer | null {
  let isFaulty = false;
  const fault: Report = (field, message) => {
    isFaulty = true;
    report(field, message);
  };
  const entry: Entry = Object.fromEntries(
    Object.entries(raw).map(([field, value]) => [
      field,
      field === 'models' ? value : withVariables(value, environment, (why) => fault(`.${field}`, why), ['PORT']),
    ]),
  );
  checkFields(entry, raw, SERVER_FIELDS, (field, why) => fault(`.${field}`, why));
  for (const field of REQUIRED_FIELDS)
    if (raw[field] === undefined) fault(`.${field}`, 'it is required, found nothing');
  const { api = 'sd-server', port = 'auto', key } = entry as Partial<ServerEntry>;
  if (key !== undefined && api !== 'openai-images') fault('.key', 'only servers of the api openai-images take a key');
  if (entry.network === 'open' && network === 'closed')
    fault('.network', 'DARKROOM_LOCAL_NETWORK is closed, so no server may have an open network');
  if (port === 'auto' && !JSON.stringify([entry.command, entry.environment]).includes(PORT_WORD))
    fault('.port', `with "auto", expected ${PORT_WORD} in the command or the environment, so that the server gets it`);
  const models = (Array.isArray(raw.models) ? raw.models.filter(isEntry) : []).map((model, index) =>
    readModel(model, api, (field, why) => fault(`.models[${index}]${field}`, why)),
  );
  if (isFaulty) return null;
  const read = entry as unknown as ServerEntry;
  return {
    name: read.name,
    command: read.command,
    readyPath: read.ready,
    api,
    models,
    port: port === 'auto' ? null : port,
    needsNetwork: read.network !== undefined,
    directory: read.directory === undefined ? null : resolve(directory, read.directory),
    environment: read.environment ?? {},
    key: key ?? null,
    memoryBytes: read.memory_mb === undefined ? null : read.memory_mb * MEGABYTE,
  };
}

/** Shape of an entry without faults. */
interface ServerEntry {
  readonly name: string;
  readonly command: OwnServer['command'];
  readonly api: OwnServer['api'];
  readonly ready: string;
  readonly port?: number | 'auto';
  readonly network?: 'open';
  readonly directory?: string;
  readonly environment?: OwnServer['environment'];
  readonly key?: string;
  readonly memory_mb?: number;
}

function readModel(entry: Entry, api: OwnServer['api'], fault: Report): OwnModel {
  checkFields(entry, entry, MODEL_FIELDS, (field, why) => fault(`.${field}`, why));
  const { id, negative_prompt: hasNegativePrompt = false } = entry;
  const model = entry.model ?? (api === 'sd-server' ? 'img_gen' : undefined);
  if (model === undefined) fault('.model', 'it is required, found nothing');
  const names = MODEL_NAMES[api] ?? MODEL_NAMES['openai-images'];
  for (const [field, name] of Object.entries({ model, edit_model: entry.edit_model }))
    if (name !== undefined && !names.accepts(name))
      fault(`.${field}`, `expected ${names.expected}, found ${shown(name)}`);
  const [extra] = Object.keys(entry).filter((field) => field !== 'model');
  if (id === undefined && extra !== undefined) fault('.id', `it is required beside ${extra}, found nothing`);
  if (hasNegativePrompt !== false && api === 'openai-images')
    fault('.negative_prompt', 'the interface openai-images has no negative prompt');
  if (model === 'vid_gen' && id !== undefined)
    fault('.id', 'a model of videos gets no entry here; put one into your catalog directory, and name only the model');
  return {
    model: String(model),
    editModel: (entry.edit_model as string | undefined) ?? null,
    entry:
      id === undefined
        ? null
        : {
            modelId: String(id),
            title: String(entry.name ?? id),
            sizes: (entry.sizes as Record<string, string> | undefined) ?? DEFAULT_SIZES,
            price: String(entry.price ?? '0'),
            hasNegativePrompt: hasNegativePrompt === true,
            fixed: (entry.fixed as Entry | undefined) ?? {},
          },
  };
}

/** @param raw the entry as the file has it: a fault must not show values of the environment */
function checkFields(entry: Entry, raw: Entry, fields: Readonly<Record<string, Field>>, fault: Report): void {
  for (const [field, value] of Object.entries(entry)) {
    const known = fields[field];
    if (value === undefined) continue;
    if (known === undefined) {
      const nearest = nearestName(field, Object.keys(fields));
      const accepted = `Accepted fields: ${Object.keys(fields).join(', ')}.`;
      fault(field, `unknown field. ${nearest === null ? accepted : `Did you mean ${nearest}?`}`);
    } else if (!known.accepts(value)) {
      fault(field, `expected ${known.expected}, found ${field === 'key' ? 'something else' : shown(raw[field])}`);
    }
  }
}

/** Finds names, ids and ports that only one entry may have. */
function doubles(list: readonly unknown[]): string[] {
  const servers = list.filter(isEntry);
  const models = servers.flatMap(({ models }) => (Array.isArray(models) ? models.filter(isEntry) : []));
  const kinds: readonly (readonly [what: string, values: readonly unknown[]])[] = [
    ['name', servers.map(({ name }) => name)],
    ['port', servers.map(({ port }) => port).filter((port) => port !== 'auto')],
    ['id', models.map(({ id }) => id)],
  ];
  return kinds.flatMap(([what, values]) =>
    [...new Set(values)]
      .filter((value) => value !== undefined && values.filter((other) => other === value).length > 1)
      .map((value) => `the ${what} ${shown(value)} stands twice; each must be unique`),
  );
}
