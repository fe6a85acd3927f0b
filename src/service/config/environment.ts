import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { decodeText } from '@darkroom-service/contract';
import { ConfigFault } from './config-fault.ts';

/** The variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment variables; a `.env` file in the directory supplies those that the process does not set.
 * @throws ConfigFault if the file is no text in UTF-8
 */
export function readEnvironment(directory: string = process.cwd(), own: Environment = process.env): Environment {
  return { ...parseEnv(readEnvFile(join(directory, '.env'))), ...own };
}

function readEnvFile(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
  try {
    return decodeText(bytes, path);
  } catch (error) {
    throw new ConfigFault([{ variable: '.env', message: (error as Error).message }]);
  }
}

/** Matches a leading or trailing quote that `plainValue` leaves because quotes are no pair. */
export const QUOTED = /^["']|["']$/;

/**
 * Returns a value without the blanks around it, and without one pair of quotes: env files of containers and of older
 * systemd hand them on.
 */
export function plainValue(text: string): string {
  const value = text.trim();
  const [, , inside] = /^(["'])((?:(?!\1).)*)\1$/s.exec(value) ?? [];
  return inside?.trim() ?? value;
}

/** Returns the variables as `plainValue` reads them, without those that are empty. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, text]) => [name, text && plainValue(text)])
      .filter(([, text]) => text),
  );
}
