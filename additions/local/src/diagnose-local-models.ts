import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Check, Config } from '@darkroom-service/darkroom/kernel';
import { LOCAL_SETTINGS, type LocalConfig } from './local-settings.ts';
import { listedName, type OwnServer } from './own-servers/own-server.ts';
import { readRunning } from './running.ts';
import { createServerNetwork } from './servers/network.ts';
import type { ServerView } from './servers/server-spec.ts';
import { type ModelRecord, openStore } from './store.ts';

const CLOSE = 'Install bubblewrap, and allow the service to use namespaces.';
const SHOWN_LINES = 3;
const MEGABYTE = 1024 * 1024;

/** Reports the pulled models, and the current state of each server that Darkroom starts. */
export async function diagnoseLocalModels(config: Config): Promise<Check[]> {
  const local = config.of(LOCAL_SETTINGS);
  const { engines } = config;
  const store = openStore(local.directory);
  const records = await store.records();
  const views = await readRunning(local.directory);
  const pulled = await diagnosePulled(records, local.directory);
  const isOff = engines?.includes('local') === false && (records.length > 0 || local.ownServers.length > 0);
  const off: Check = {
    name: 'local servers',
    status: 'warning',
    found: 'DARKROOM_ENGINES does not name local, so no model of this machine is offered',
    advice: 'Add local to DARKROOM_ENGINES.',
  };
  const own = await Promise.all(
    local.ownServers.map(
      async (server) => (await diagnoseProgram(server, local.environment.PATH)) ?? idle(listedName(server)),
    ),
  );
  const isUsed = records.length > 0 || local.ownServers.length > 0;
  const network = isUsed ? [await diagnoseNetwork(local)] : [];
  const running = views.filter(({ state, reason }) => state !== 'stopped' || reason !== null).map(diagnoseServer);
  // Each server has one line: the missing parts, else its current state.
  const seen = new Set(running.map(({ name }) => name));
  const told = own.filter(({ name, status }) => status === 'failed' || !seen.has(name));
  const others = running.filter(({ name }) => !told.some((one) => one.name === name));
  return [pulled, ...network, ...(isOff ? [off] : []), ...told, ...others];
}

async function diagnoseNetwork(local: LocalConfig): Promise<Check> {
  const name = 'network of local servers';
  const { state, reason } = await createServerNetwork(local.network, local.environment.PATH).view();
  const open = local.ownServers.filter(({ needsNetwork }) => needsNetwork).map((server) => listedName(server));
  switch (state) {
    case 'closed': {
      const except = open.length === 0 ? '' : `, except that of ${open.join(', ')}`;
      return { name, status: 'ok', found: `closed by ${reason}${except}`, advice: null };
    }
    case 'unavailable':
      return {
        name,
        status: 'failed',
        found: `it cannot be closed: ${reason}`,
        advice: `${CLOSE} Or set DARKROOM_LOCAL_NETWORK to auto.`,
      };
    case 'open': {
      // Elsewhere it cannot be changed, and a setting is the operator's wish.
      const isLack = process.platform === 'linux' && local.network === 'auto';
      const found = `open, so servers can reach other machines: ${reason}`;
      return {
        name,
        status: isLack ? 'warning' : 'ok',
        found,
        advice: isLack ? `${CLOSE} Or set DARKROOM_LOCAL_NETWORK to open.` : null,
      };
    }
  }
}

async function diagnosePulled(records: readonly ModelRecord[], directory: string): Promise<Check> {
  const name = 'local models';
  const store = openStore(directory);
  if (records.length === 0) return { name, status: 'ok', found: 'none is pulled', advice: null };
  const found = records.map((record) => record.name).join(', ');
  const missing: string[] = [];
  for (const record of records) {
    for (const file of record.files) {
      if (!(await store.hasBlob(file.sha256, file.bytes))) missing.push(`${record.name} lacks ${file.name}`);
    }
  }
  if (missing.length === 0) return { name, status: 'ok', found, advice: null };
  return { name, status: 'failed', found: `${found}: ${missing.join(', ')}`, advice: 'Pull the model again.' };
}

function idle(server: string): Check {
  return { name: `server ${server}`, status: 'ok', found: 'not running; an order starts it', advice: null };
}

function diagnoseServer(view: ServerView): Check {
  const { name, state, reason, pid, network, memory_bytes: memory, step, log } = view;
  const facts = [
    state,
    ...(pid === null ? [] : [`process ${pid}`]),
    ...(memory === null ? [] : [`${Math.round(memory / MEGABYTE)} MB`]),
    ...(step === null ? [] : [`step ${step.done} of ${step.total}`]),
    ...(network === null ? [] : [`network ${network}`]),
    ...(reason === null ? [] : [`last failure: ${reason}`]),
  ];
  const lines = log.slice(-SHOWN_LINES).map((line) => line.trim());
  const found = `${facts.join(', ')}${lines.length === 0 ? '' : `. Its last lines: ${lines.join(' | ')}`}`;
  const advice = `See darkroom local show ${name} for its output, and try it with darkroom local run ${name}.`;
  const status = state === 'unavailable' ? 'warning' : 'ok';
  return { name: `server ${name}`, status, found, advice: status === 'ok' ? null : advice };
}

/** @returns a finding if the command cannot be started here */
async function diagnoseProgram(server: OwnServer, path = ''): Promise<Check | null> {
  const { command, directory } = server;
  const fault = (found: string): Check => ({
    name: `server ${listedName(server)}`,
    status: 'failed',
    found,
    advice: 'Mend it in the file that DARKROOM_LOCAL_SERVERS_FILE names.',
  });
  if (directory !== null && !(await isThere(directory))) return fault(`there is no directory ${directory}`);
  const [program] = command;
  // Windows adds endings that this does not know.
  if (process.platform === 'win32') return null;
  const isPath = program.includes('/');
  if (isPath && !isAbsolute(program) && directory === null)
    return fault(`${program} is a relative path, and the server has no directory`);
  const searched = server.environment.PATH ?? path;
  const places = isPath
    ? [resolve(directory ?? '', program)]
    : searched.split(delimiter).map((one) => join(one, program));
  const found = await Promise.all(places.map((place) => isThere(place, constants.X_OK)));
  return found.includes(true) ? null : fault(`there is no program ${program} that can be run`);
}

async function isThere(path: string, mode?: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}
