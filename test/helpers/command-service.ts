import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type FaultProxy, openFaultProxy } from '../clients/fault-proxy.ts';
import { type Ended, type RunningCommand, runDarkroom, startDarkroom } from './run-darkroom.ts';
import { type DataOf, startTestService, type TestService } from './service.ts';
import { createSwiftEngine } from './swift-engine.ts';

/** A directory with a key of its own, and the command in it. Its requests go through a proxy. */
export interface CommandUser {
  readonly directory: string;
  readonly key: string;
  readonly proxy: FaultProxy;
  readonly variables: { readonly DARKROOM_URL: string; readonly DARKROOM_API_KEY: string };
  run(...words: string[]): Promise<Ended>;
  /** Runs a command with a text or file on standard input. */
  pipe(input: string | Buffer, ...words: string[]): Promise<Ended>;
  start(...words: string[]): RunningCommand;
  /** Orders without the command and waits for the end. */
  make: (path: string, body: object) => ReturnType<TestService['make']>;
  /** The `data` at a path, read without the proxy. */
  read<Path extends string>(path: Path): Promise<DataOf<'GET', Path>>;
}

/** A service that the tests of the command line share. It draws plain pictures at once. */
export async function startCommandService(whole: Pick<TestContext, 'after'>) {
  const service = await startTestService(whole, { service: { engines: [createSwiftEngine()] } });
  return {
    service,
    async newUser(t: TestContext): Promise<CommandUser> {
      const directory = await mkdtemp(join(tmpdir(), 'darkroom-command-'));
      t.after(() => rm(directory, { recursive: true, force: true }));
      const { key } = await service.issueKey({ mode: 'test' });
      const proxy = await openFaultProxy(t, service.url);
      const variables = { DARKROOM_URL: proxy.url, DARKROOM_API_KEY: key };
      return {
        directory,
        key,
        proxy,
        variables,
        run: (...words) => runDarkroom(words, variables, directory),
        pipe: (input, ...words) => runDarkroom(words, variables, directory, input),
        start: (...words) => startDarkroom(words, variables, directory),
        make: (path, body) => service.make(key, path, body),
        read: async (path) => (await service.call(key, 'GET', path)).data,
      };
    },
  };
}
