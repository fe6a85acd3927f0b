import { cutText, world } from '@darkroom-service/contract';

const KEPT_LINES = 200;
const LINE_CHARACTERS = 400;
const REASON_CHARACTERS = 300;
const REASON_LINES = 3;
/** A progress bar of stable-diffusion.cpp: `|=====>   | 3/8 - 1.25s/it`. */
const BAR = /\|\s*(\d{1,6})\/(\d{1,6})\s+-\s+[\d.]+\s*(\S+)/;
const STEP_UNITS = ['s/it', 'it/s'];
const TELLING =
  /error|fail|fatal|abort|exception|terminate|assert|out of memory|cannot|can't|could not|unable|not found|invalid|unsupported|in use/i;
/** Progress messages of stable-diffusion.cpp, which may contain orders of others. */
const PASSING = /^\s*\[(INFO|DEBUG)\s*\]/;
const BACKTRACE = /^\s*(#\d+|\[?0x[0-9a-f]+|at 0x|\S+\.so[.\d]*\b|\S+\(\+?0x)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one
const COLOURS = /\x1b\[[\d;]*[A-Za-z]/g;
/** Folders of absolute paths, which would reveal the operator's folders. */
const FOLDERS = /(?:[A-Za-z]:)?[\\/](?:[\w .@+-]+[\\/])+(?=[\w.@+-])/g;

interface Step {
  readonly done: number;
  readonly total: number;
}

/** Output of a server: its last 200 lines, and its current step. Memory stays bounded whatever the server writes. */
export class ServerOutput {
  readonly #lines: string[] = [];
  /** Unfinished lines, by stream. */
  readonly #partials = new Map<string, string>();
  #lastIsBar = false;
  /** `world.monotonic()` of the last output. */
  lastAt = world.monotonic();
  /** Called for each progress bar that counts steps. */
  onStep: (step: Step) => void = () => {};

  /** Adds output. Progress bars replace each other. */
  add(chunk: string, stream: string): void {
    this.lastAt = world.monotonic();
    const pieces = ((this.#partials.get(stream) ?? '') + chunk).split(/\r\n|\n|\r/);
    const partial = cutText(pieces.pop() ?? '', LINE_CHARACTERS * 4);
    this.#partials.set(stream, partial);
    for (const piece of pieces.slice(-KEPT_LINES * 2)) this.#addLine(piece);
    // Bars end with a carriage return only when the next one is written.
    this.#readStep(partial);
  }

  #addLine(text: string): void {
    const line = cutText(text.replace(COLOURS, '').trimEnd(), LINE_CHARACTERS);
    if (line.trim() === '') return;
    const isBar = this.#readStep(line);
    if (isBar && this.#lastIsBar) this.#lines.pop();
    this.#lastIsBar = isBar;
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
  }

  #readStep(line: string): boolean {
    const [, done, total, unit = ''] = BAR.exec(line) ?? [];
    if (done === undefined || total === undefined) return false;
    if (STEP_UNITS.includes(unit) && Number(total) > 0) this.onStep({ done: Number(done), total: Number(total) });
    return true;
  }

  /** Returns the last lines, oldest first. */
  tail(count: number): string[] {
    return this.#lines.slice(-count);
  }

  /**
   * Returns the lines that best explain the end of the server, in one line and without folders; null if there are none.
   * Backtraces and progress bars explain nothing.
   */
  reason(): string | null {
    const all = [...this.#lines, ...[...this.#partials.values()].map((text) => text.replace(COLOURS, '').trim())];
    const lines = all.filter((line) => line !== '' && !BAR.test(line) && !BACKTRACE.test(line));
    const telling = lines.filter((line) => TELLING.test(line));
    const chosen = (telling.length > 0 ? telling : lines.filter((line) => !PASSING.test(line))).slice(-REASON_LINES);
    if (chosen.length === 0) return null;
    return chosen
      .map((line) => line.trim().replace(FOLDERS, ''))
      .join('; ')
      .slice(-REASON_CHARACTERS);
  }
}
