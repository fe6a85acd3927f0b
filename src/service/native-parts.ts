import { world } from '@darkroom-service/contract';
import { hasCodecs } from '@darkroom-service/media';
import { recordStderrTail, startChild } from '@darkroom-service/media/process';
import type { Observation } from './check.ts';

/** Findings about the native parts of this installation, as `darkroom doctor` prints them. */
export interface NativeParts {
  /** Reading and painting pictures, which every process needs. */
  readonly sketch: Observation;
  /** Making films, for which the codecs are optional. */
  readonly films: Observation;
}

const WITHIN_MS = 60_000;
const REINSTALL = 'Delete node_modules and install the packages again on this machine, in a checkout by `npm ci`.';

/** Loads the native parts in a process of its own, which may crash. Takes about as long as the rest of a start. */
export async function tryNativeParts(): Promise<NativeParts> {
  const child = startChild(new URL('./doctor/try-parts.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const complaint = recordStderrTail(child);
  const late = world.setTimeout(() => child.kill('SIGKILL'), WITHIN_MS);
  let found: Partial<NativeParts> = {};
  child.on('message', (message: Partial<NativeParts>) => {
    found = { ...found, ...message };
  });
  const how = await new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  world.clearTimeout(late);
  const [last = ''] =
    complaint()
      ?.message.split('\n')
      .filter((line) => /error/i.test(line)) ?? [];
  const ended = (what: string): Observation => ({
    status: 'failed',
    found: `the process that tried ${what} ended (${how})${last === '' ? '' : `: ${last}`}`,
    advice: REINSTALL,
  });
  return { sketch: ended('to paint a picture'), films: ended('to load the codecs'), ...found };
}

/** Reports the installed parts without loading them: for a service whose native parts were not tried. */
export function installedParts(): NativeParts {
  const films: Observation = hasCodecs()
    ? { status: 'ok', found: 'the codecs of the built-in engine are there', advice: null }
    : {
        status: 'warning',
        found: 'the optional package @mediabunny/server is missing: the built-in engine makes no films',
        advice: null,
      };
  return { sketch: { status: 'ok', found: 'not tried', advice: null }, films };
}
