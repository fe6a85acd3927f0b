import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import type { PeerDatabase } from './peer.ts';
import { endChild } from './peer-process.ts';

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** A Redis that flushes each write to disk before it answers. */
export async function openRedis(directory: string): Promise<PeerDatabase> {
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', dir: directory, appendonly: 'yes', appendfsync: 'always', save: '' };
  const child = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: 'ignore' },
  );
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    env: { PEER_REDIS_PORT: String(port) },
    // Its log is on disk already.
    flush: async () => {},
    databases: async () => (child.pid === undefined ? [] : [child.pid]),
    close: () => endChild(child, 'SIGTERM'),
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
