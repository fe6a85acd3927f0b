import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { world } from '@darkroom-service/contract';

/** The version in package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).version;

/**
 * Creates the id of a process, as in its lock, its log and the tasks that it claims. It is unique for all time, since
 * containers share host names and process numbers.
 */
export function createProcessId(): string {
  return `${hostname().replaceAll(/[^\w.-]/g, '-')}-${process.pid}-${world.randomUUID().slice(0, 8)}`;
}
