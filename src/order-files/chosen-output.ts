import type { Expected, StoredOutput, TaskRow } from '../record/task.ts';
import { engineOf, requestOf } from '../record/task-json.ts';

/** The engine whose outputs have exactly the planned size and length. */
const EXACT_ENGINE = 'sketch';

type Planned = Pick<TaskRow, 'type' | 'input_json' | 'request_json' | 'route_json'>;

/**
 * Returns the size and length that the output of an unfinished task certainly will have; null if they are open. They
 * are certain on the built-in engine, and for an image ordered with an explicit `size`, if the request depends on no
 * medium that is not measured yet.
 */
export function expectedOf(row: Planned): Expected | null {
  const { derived, values, action, output } = requestOf(row);
  if (derived.size_known === false || derived.seconds_known === false) return null;
  const hasSize = row.type === 'image' && action === null && typeof values.size === 'string';
  if (!hasSize && engineOf(row) !== EXACT_ENGINE) return null;
  return { width: output.width, height: output.height, durationSeconds: output.durationSeconds };
}

/**
 * Finds the part that `#<number>` selects: an output, and a tile of it if it is a grid. A text is the reason why there
 * is none.
 */
export function outputAt<Output extends Pick<StoredOutput, 'tiles'>>(
  outputs: readonly Output[],
  number: number | null,
): { readonly output: Output; readonly tile: number | null } | string {
  const first = outputs[0];
  if (first === undefined) return 'it has no output';
  if (number === null) return { output: first, tile: null };
  if (first.tiles !== null)
    return number >= 1 && number <= first.tiles
      ? { output: first, tile: number }
      : `expected #1 to #${first.tiles}, found #${number}`;
  const output = outputs[number - 1];
  if (output !== undefined) return { output, tile: null };
  return `expected ${outputs.length === 1 ? '#1' : `#1 to #${outputs.length}`}, found #${number}`;
}

/** Returns the size of one tile of a 2×2 grid. */
export function tileSizeOf(grid: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  return { width: Math.floor(grid.width / 2), height: Math.floor(grid.height / 2) };
}
