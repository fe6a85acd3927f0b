import { join } from 'node:path';
import { inspect } from 'node:util';
import { world } from '@darkroom-service/contract';
import { keepCompiled, saveCompiled } from '@darkroom-service/media/process';
import { limitHeapGrowth } from '../base/heap.ts';
import { createLog, type Log } from '../base/log.ts';
import { createProcessId } from '../base/process.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Addition } from '../service/addition.ts';
import type { Config } from '../service/config/config.ts';
import { makeDataDirectory } from '../service/config/data-directory.ts';
import { enabledAdditions } from '../service/enabled-additions.ts';
import { firstStart } from '../service/first-start.ts';
import { type NativeParts, tryNativeParts } from '../service/native-parts.ts';
import { missingPublicUrl } from '../service/public-url.ts';
import type { Service } from '../service/service.ts';
import { CommandFault, commandFault } from './command-fault.ts';
import { SAME_KEYSTROKE_MS } from './interruption.ts';
import { readOwnConfig } from './own-config.ts';
import { print } from './print.ts';

const LAST_WORDS_MS = 500;
/** Id on every log line of this process, also before and after the service runs. */
const PROCESS_ID = createProcessId();

/** Runs the service until a signal. Without a terminal, a failure to start is a log line. */
export async function runService(additions: readonly Addition[]): Promise<void> {
  try {
    await serve(additions);
  } catch (error) {
    if (process.stderr.isTTY === true) throw error;
    const { document, exitCode, message } = commandFault(error);
    report(`The service does not start. ${message}`, document, 'fatal');
    process.exitCode = exitCode;
  }
}

async function serve(additions: readonly Addition[]): Promise<void> {
  const config = readOwnConfig();
  await makeDataDirectory(config.dataDirectory);
  await keepCompiled(join(config.dataDirectory, 'compiled'));
  const { startService } = await import('../service/service.ts');
  const nativeParts = tryWholeParts();
  // The code that awaits them reports the error.
  nativeParts.catch(() => undefined);
  // Without a terminal, the keys must be in their file before anything answers: a script may wait for /healthz.
  const early: string[] = [];
  const beforeListening = async (database: Database) => {
    if (process.stdout.isTTY !== true) await makeFirstKeys(config, database, (text) => early.push(text));
  };
  const service = await startService(config, { additions, beforeListening, processId: PROCESS_ID, nativeParts }).catch(
    (error: unknown) => {
      for (const text of early) print(text);
      throw addressFault(error, config);
    },
  );
  handleSignals(service);
  await greet(config, service, additions, early);
  saveCompiled();
  limitHeapGrowth();
}

/** @throws CommandFault if this installation can neither read nor paint pictures */
async function tryWholeParts(): Promise<NativeParts> {
  const parts = await tryNativeParts();
  const { status, found, advice } = parts.sketch;
  if (status === 'failed') throw new CommandFault(`This installation is incomplete: ${found}. ${advice}`);
  return parts;
}

/** Converts a system error about an address to a CommandFault that says what to do. */
export function addressFault(error: unknown, config: Pick<Config, 'host' | 'port' | 'metricsPort'>): unknown {
  const { code, port = config.port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const { host } = config;
  const variable = port !== config.port && port === config.metricsPort ? 'DARKROOM_METRICS_PORT' : 'DARKROOM_PORT';
  const advice: Record<string, string> = {
    EADDRINUSE: `Another program listens on ${host}:${port}. Stop it, or set ${variable} to another port.`,
    EACCES: `This user may not listen on ${host}:${port}. Set ${variable} to a port above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set DARKROOM_HOST to one of this machine's addresses.`,
    ENOTFOUND: `The host name ${host} is unknown. Set DARKROOM_HOST to an address of this machine.`,
  };
  const isListening = (error as NodeJS.ErrnoException).syscall?.match(/listen|bind|getaddrinfo/) != null;
  return isListening && code !== undefined && advice[code] !== undefined ? new CommandFault(advice[code]) : error;
}

/** @param early messages from the first start. */
async function greet(
  config: Config,
  service: Service,
  additions: readonly Addition[],
  early: readonly string[],
): Promise<void> {
  // The parent process may close its end of the pipe; the service continues.
  process.stdout.on('error', () => {});
  if (config.role === 'worker') return void print(`Darkroom's worker runs. Orders arrive at ${service.url}`);
  print(`Darkroom listens on ${service.url}`);
  for (const text of [...startHints(config, service.url, additions), ...early]) print(text);
  if (process.stdout.isTTY !== true) return;
  const database = await openDatabase({ url: config.databaseUrl, path: config.databasePath, listen: false });
  try {
    await makeFirstKeys(config, database, print, service);
  } finally {
    await database.close();
  }
}

async function makeFirstKeys(
  config: Config,
  database: Database,
  say: (text: string) => void,
  service?: Service,
): Promise<void> {
  await firstStart({
    database,
    dataDirectory: config.dataDirectory,
    cell: config.cell,
    terminal: service !== undefined,
    print: say,
    welcome: (keys) => service?.welcome(keys) ?? [],
  });
}

/** Returns hints for a person who starts the service, one per line. */
export function startHints(config: Config, url: string, additions: readonly Addition[]): string[] {
  const served = enabledAdditions(additions, config.without).map(({ serves }) => serves);
  const hints = [
    ...(served.includes('console') ? [`The console: ${config.publicUrl ?? url}/`] : []),
    ...(served.includes('docs') ? [`The reference: ${config.publicUrl ?? url}/docs`] : []),
    config.engines?.includes('sketch') === false
      ? 'Engine sketch is on for test keys only: DARKROOM_ENGINES does not name it.'
      : 'Engine sketch is on. It is built in.',
    ...config.switchedOn.map(({ name, variable }) => `Engine ${name} is on: ${variable} is set.`),
  ];
  const missing = missingPublicUrl(config);
  if (missing !== null) hints.push(`Warning: ${missing}`);
  return hints;
}

/** Handles signals: SIGTERM and SIGINT stop the service, a second one at once; SIGHUP reloads the catalog. */
export function handleSignals(service: Service): void {
  let stoppingSince: number | null = null;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince === null) {
      stoppingSince = world.now();
      report(`${signal}: stopping. A second signal stops at once.`, { signal });
      // Ctrl-C comes from a person, so there is no load balancer to inform.
      void service.stop({ announce: signal === 'SIGTERM' }).then(() => process.exit(0), endInFailure);
    } else if (signal !== 'SIGINT' || world.now() - stoppingSince > SAME_KEYSTROKE_MS) {
      world.setTimeout(() => process.exit(1), LAST_WORDS_MS).unref();
      void service.stop({ now: true }).then(() => process.exit(1), endInFailure);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    service.reloadCatalog().then(
      () => report('The catalog was reloaded.'),
      (error: unknown) => report(`The catalog was not reloaded: ${(error as Error).message}`),
    );
  });
}

/** Writes a sentence to the terminal, or a log line if there is none. */
function report(text: string, fields: object = {}, level: 'info' | 'fatal' = 'info'): void {
  if (process.stderr.isTTY === true) print(text, process.stderr);
  else signalLog()[level](fields, text);
}

/**
 * Writes synchronously, since the process may end right after, and at every level, since it answers an operator's
 * action.
 */
function signalLog(): Log {
  const base = { role: 'serve', process: PROCESS_ID };
  return createLog('info', { write: (line) => void process.stderr.write(line) }, base);
}

function endInFailure(error: unknown): void {
  // Several parts may have failed to close: each error contains the next.
  report(`Could not stop cleanly: ${inspect(error)}`);
  process.exit(1);
}
