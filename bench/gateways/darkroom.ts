import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { S3_CREDENTIALS, startS3Server } from '@darkroom-service/testing';
import { startCollector } from '../collector.ts';
import { startPeer } from '../peers/peer-process.ts';
import { openPostgres } from '../peers/postgres.ts';
import type { Gateway } from './gateway.ts';

const run = promisify(execFile);

/** Where Darkroom keeps its data, besides its own directory. */
interface Servers {
  readonly env: Readonly<Record<string, string>>;
  /** The processes that work for it. */
  pids(): Promise<readonly number[]>;
  close(): Promise<unknown>;
}

const NO_SERVERS: Servers = { env: {}, pids: async () => [], close: async () => {} };

/** Opens servers for a Darkroom whose outputs carry the mark that a machine made them. */
export async function openMarked(): Promise<Servers> {
  return { ...NO_SERVERS, env: { DARKROOM_PROVENANCE: 'metadata' } };
}

/** Opens servers for a Darkroom that sends one trace in ten to a collector. The collector's process is not measured. */
export async function openTraced(): Promise<Servers> {
  return { ...NO_SERVERS, ...(await startCollector()) };
}

/**
 * Darkroom's mount, of any checkout: only its commands are used, which stay alike.
 * @param openServers opens empty servers for its data
 */
export function darkroom(name: string, checkout: string, openServers = async () => NO_SERVERS): Gateway {
  const root = resolve(checkout);
  const node = join(root, 'node_modules', '.bin', 'node');
  const now = join(root, 'src', 'main.ts');
  const program = existsSync(now) ? now : join(root, 'src', 'cli', 'main.ts');
  return {
    name,
    missing: () => (existsSync(node) ? null : `npm --prefix ${root} ci`),
    async start({ upstream, directory }) {
      const servers = await openServers();
      const [port, metricsPort] = [await freePort(), await freePort()];
      const env = {
        ...servers.env,
        PATH: process.env.PATH ?? '',
        DARKROOM_DATA_DIR: join(directory, 'data'),
        DARKROOM_PORT: String(port),
        DARKROOM_METRICS_PORT: String(metricsPort),
        DARKROOM_LOG_LEVEL: 'fatal',
        DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
        DARKROOM_OPENAI_URL: `${upstream}/v1`,
        DARKROOM_OPENAI_CONCURRENCY: '200',
        OPENAI_API_KEY: 'sk-upstream',
      };
      const command = async (...values: string[]) =>
        (await run(node, [program, ...values], { env, cwd: directory })).stdout.trim();
      await command('accounts', 'create', 'race', '--limit', 'none');
      const key = await command('keys', 'create', '--mode', 'live', '--account', 'race', '--plain');
      const url = `http://127.0.0.1:${port}`;
      const { pid, end } = await startPeer([node, program, 'serve'], env, `${url}/readyz`);
      return {
        pids: [pid, ...(await servers.pids())],
        url: `${url}/openai/v1/images/generations`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        model: 'gpt-image-2',
        async loopDelayMs() {
          const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
          return Number(/^nodejs_eventloop_lag_p99_seconds(?:\{.*\})? (\S+)$/m.exec(figures)?.[1]) * 1000;
        },
        async end(signal) {
          await end(signal);
          await servers.close();
        },
      };
    },
  };
}

/** PostgreSQL, whose processes count, and an S3 server, whose process does not: it is no real one. */
export async function openPostgresAndS3(): Promise<Servers> {
  const postgres = await openPostgres();
  const s3 = await startS3Server();
  const endpoint = encodeURIComponent(s3.endpoint);
  return {
    env: {
      DARKROOM_DATABASE_URL: postgres.url,
      DARKROOM_STORAGE_URL: `s3://${await s3.makeBucket()}?region=us-east-1&endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    },
    pids: postgres.databases,
    close: () => Promise.all([postgres.close(), s3.close()]),
  };
}
