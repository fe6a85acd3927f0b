import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { setHeapFlags } from '../base/heap-flags.ts';
import { createIdFactory } from '../base/ids.ts';
import { type Config, loadConfig, readEnvironment } from '../config.ts';
import { openDatabase } from '../database/open-database.ts';
import { firstStart } from '../first-start.ts';
import type { Service } from '../service.ts';
import { CommandFault } from './command-fault.ts';
import { SAME_KEYSTROKE_MS } from './interruption.ts';

const LAST_WORDS_MS = 500;

/** `darkroom serve`: the service in the foreground, until a signal. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service (every setting is an environment variable: docs/configuration.md)')
    .action(async () => {
      // V8 ends the process where code is thrown away in the middle of a fast call, as Buffer.byteLength makes one: seen under load.
      setFlagsFromString('--no-turbo-fast-api-calls');
      const config = loadConfig(readEnvironment());
      setHeapFlags('loading');
      const { startService } = await import('../service.ts');
      const service = await startService(config).catch((error: unknown) => {
        throw addressFault(error, config);
      });
      obeySignals(service);
      await greet(config, service);
      setHeapFlags('serving');
    });
}

/** What the system says of an address, with what to do about it. */
function addressFault(error: unknown, { host, port }: Config): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const advice: Record<string, string> = {
    EADDRINUSE: `Something listens on ${host}:${port} already. Stop it, or set DARKROOM_PORT to another port.`,
    EACCES: `This user may not listen on ${host}:${port}. Set DARKROOM_PORT to a port from 1024 on.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set DARKROOM_HOST to one of its own.`,
    ENOTFOUND: `The name ${host} is not known. Set DARKROOM_HOST to an address of this machine.`,
  };
  const isListening = (error as NodeJS.ErrnoException).syscall?.match(/listen|bind|getaddrinfo/) != null;
  return isListening && code !== undefined && advice[code] !== undefined ? new CommandFault(advice[code]) : error;
}

async function greet(config: Config, service: Service): Promise<void> {
  // What starts the service may close its end of the pipe; the service goes on.
  process.stdout.on('error', () => {});
  const print = (text: string) => process.stdout.write(`${text}\n`);
  if (config.role === 'worker') return void print(`Darkroom works, for orders taken at ${service.url}`);
  print(`Darkroom listens on ${service.url}`);
  for (const hint of startHints(config, service.url)) print(hint);
  const database = await openDatabase({ url: config.databaseUrl, path: config.databasePath, listen: false });
  try {
    const now = systemClock.now();
    const by = { actor: 'first start', now, createId: createIdFactory(() => systemClock.now()) };
    await firstStart({
      database,
      dataDirectory: config.dataDirectory,
      by,
      terminal: process.stdout.isTTY === true,
      print,
      // The link works on this machine alone, so the service has to be reachable here.
      offerSignIn: (keys) => (isNear(config.host) ? service.offerSignIn(keys) : null),
    });
  } finally {
    await database.close();
  }
}

/** What a person should know at a start, a line each. */
export function startHints(config: Config, url: string): string[] {
  const hints = [
    `The console: ${config.publicUrl ?? url}/`,
    `The reference: ${config.publicUrl ?? url}/docs`,
    config.engines?.includes('sketch') === false
      ? 'Engine sketch is on for test keys alone: DARKROOM_ENGINES leaves it out.'
      : 'Engine sketch is on: built in, without any variable.',
    ...config.switchedOn.map(({ name, variable }) => `Engine ${name} is on: ${variable} is set.`),
  ];
  if (!isLoopback(config.host) && config.publicUrl === null) {
    hints.push(
      `Warning: ${config.host} is open to the network and DARKROOM_PUBLIC_URL is not set, so links to files begin with ${url}. Set it to the address that clients use.`,
    );
  }
  return hints;
}

function isNear(host: string): boolean {
  return isLoopback(host) || host === '0.0.0.0' || host === '::';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host);
}

/** SIGTERM and SIGINT stop the service, a second one at once; SIGHUP reads the catalog anew. */
export function obeySignals(service: Service): void {
  let stoppingSince: number | null = null;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince === null) {
      stoppingSince = Date.now();
      process.stderr.write(`${signal}: stopping. Once more ends at once.\n`);
      void service.stop().then(() => process.exit(0), endInFailure);
    } else if (signal !== 'SIGINT' || Date.now() - stoppingSince > SAME_KEYSTROKE_MS) {
      setTimeout(() => process.exit(1), LAST_WORDS_MS).unref();
      void service.stop({ now: true }).then(() => process.exit(1), endInFailure);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    service.reloadCatalog().then(
      () => process.stderr.write('The catalog was read again.\n'),
      (error: unknown) => process.stderr.write(`The catalog stays as it was: ${(error as Error).message}\n`),
    );
  });
}

function endInFailure(error: unknown): void {
  // Several parts may not have been closed: each is inside of the other.
  process.stderr.write(`The stop failed: ${inspect(error)}\n`);
  process.exit(1);
}
