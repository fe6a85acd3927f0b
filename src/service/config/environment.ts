import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment variables; a `.env` file in the directory supplies those that the process does not set. */
export function readEnvironment(directory: string = process.cwd(), own: Environment = process.env): Environment {
  let fileText = '';
  try {
    fileText = readFileSync(join(directory, '.env'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { ...parseEnv(fileText), ...own };
}

/** Leaves out the variables that are empty, and the blanks around the values of others. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, text]) => [name, text?.trim()])
      .filter(([, text]) => text),
  );
}
