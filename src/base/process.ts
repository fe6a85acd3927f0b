import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { LogBase } from './log.ts';

/** The version in package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).version;

/** Returns the fields that name this process in its log. */
export function processOf(role: string): LogBase {
  return { role, process: `${hostname()}:${process.pid}` };
}
