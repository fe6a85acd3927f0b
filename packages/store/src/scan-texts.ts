import { sleep, world } from '@darkroom-service/contract';
import type { Compilable } from 'kysely';

/** A row whose texts are searched. */
export interface TextRow {
  readonly id: string;
  readonly text: string;
  /** An object as JSON, one field of which is a text; null = the row is skipped. */
  readonly json: string | null;
}

/** A search for words in the texts of rows, from the newest id to the oldest. */
export interface TextScan {
  /** The API key that searches. */
  readonly owner: string;
  /** Selects the rows with a smaller id, in descending order of ids. */
  readonly rows: (below: string, limit: number) => Compilable<TextRow>;
  /** Exclusive upper bound of the ids. */
  readonly start: string;
  /** The field of `json` that is searched besides `text`. */
  readonly field: string;
  /** Folded words that a row must all contain; none = each row fits. */
  readonly words: readonly string[];
  /** Maximum number of rows to find. */
  readonly wanted: number;
}

export interface Scanned {
  readonly ids: readonly string[];
  /** The id after which the search continues; null if the search is complete. */
  readonly nextAfter: string | null;
}

/** A scan as it is sent. A parameter that equals `BELOW` stands for the id that was reached. */
export interface ScanQuestion extends Omit<TextScan, 'rows' | 'owner'> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A part of a scan as the report thread gets it, with its limits. */
export interface SliceQuestion extends ScanQuestion {
  readonly rows: number;
  readonly characters: number;
  readonly cpuMs: number;
  readonly ms: number;
}

/** The result of a part of a scan, and the work that it took. */
export interface ScanSlice {
  readonly ids: readonly string[];
  readonly reached: string;
  /** Whether no rows follow. */
  readonly isLast: boolean;
  readonly rows: number;
  readonly characters: number;
  readonly cpuMs: number;
}

/** Placeholder that equals no text of a request, since NUL is refused everywhere. */
export const BELOW = '\u0000below';
/** Rows per page; few, because a text can have tens of thousands of characters and the database sends whole pages. */
export const ROWS_AT_A_TIME = 20;

/** Limits of one scan: rows, folded characters, and time. */
const MOST_ROWS = 5_000;
const MOST_CHARACTERS = 4_000_000;
const MOST_CPU_MS = 250;
const MOST_MS = 10_000;
/** CPU time after which a slice ends. The scan then pauses several times as long: orders need the processor more. */
const SLICE_CPU_MS = 5;
const REST_FACTOR = 4;

/** Characters that normalization sorts: marks, and two characters that it turns into marks. */
const MARK = '[\\p{M}\\uFF9E\\uFF9F]';
const LONG_MARKS = new RegExp(`${MARK}{30}(?=${MARK})`, 'gu');
/** Separates the marks before it from those after it: the Stream-Safe Text Process of Unicode. */
const JOINER = '\u034F';

/** Accents and vowel points. In other scripts, marks are letters, such as the vowels of Devanagari. */
const ACCENTS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: decomposed texts have them alone
  /[\u0300-\u034E\u0350-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/g;
const NOT_ASCII = /[^\0-\x7F]/;

/**
 * Folds a text for comparison: equal for letters in upper and lower case, with and without accents, and for signs that
 * Unicode has in several forms. Upper case turns `ß` into `SS` and the dotless `ı` into `I`. Sorting a run of marks
 * takes time that grows with the square of its length, so long runs are cut.
 */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  const plain = text.replace(LONG_MARKS, `$&${JOINER}`).normalize('NFKD').replace(ACCENTS, '');
  const upper = plain.toLowerCase().toUpperCase().normalize('NFKD').replace(ACCENTS, '');
  return upper.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/**
 * Reads rows and compares their texts until enough are found, all are examined, or a limit is reached.
 * @param scan runs a slice in a report thread: folding turns one character into up to 18, and texts of customers must
 * not block the event loop
 */
export async function scanInSlices(
  question: ScanQuestion,
  scan: (slice: SliceQuestion) => Promise<ScanSlice>,
): Promise<Scanned> {
  const end = world.monotonic() + MOST_MS;
  const ids: string[] = [];
  let left = { rows: MOST_ROWS, characters: MOST_CHARACTERS, cpuMs: MOST_CPU_MS };
  for (let start = question.start; ; ) {
    const wanted = question.wanted - ids.length;
    const slice = await scan({ ...question, ...left, start, wanted, ms: end - world.monotonic() });
    ids.push(...slice.ids);
    start = slice.reached;
    const { rows, characters, cpuMs } = slice;
    left = { rows: left.rows - rows, characters: left.characters - characters, cpuMs: left.cpuMs - cpuMs };
    if (slice.isLast) return { ids, nextAfter: null };
    const isOver = Math.min(left.rows, left.characters, left.cpuMs, end - world.monotonic()) <= 0;
    if (isOver || ids.length === question.wanted) return { ids, nextAfter: start };
    await sleep(REST_FACTOR * cpuMs);
  }
}

/**
 * Runs a slice of a scan: reads pages of rows and compares their texts. It examines at least one row.
 * @param cpuMs the CPU time that this thread has used
 */
export async function scanSlice(
  read: (sql: string, parameters: readonly unknown[]) => Promise<readonly TextRow[]>,
  { sql, parameters, start, field, words, wanted, ...most }: SliceQuestion,
  cpuMs = threadCpuMs,
): Promise<ScanSlice> {
  const [cpuStart, end] = [cpuMs(), world.monotonic() + most.ms];
  const ids: string[] = [];
  const used = { reached: start, rows: 0, characters: 0, cpuMs: 0 };
  for (;;) {
    const after = used.reached;
    const rows = await read(
      sql,
      parameters.map((parameter) => (parameter === BELOW ? after : parameter)),
    );
    for (const [place, { id, text, json }] of rows.entries()) {
      used.reached = id;
      used.rows++;
      if (json !== null) {
        const folded = words.length === 0 ? '' : foldText(`${text}\n${fieldOf(json, field)}`);
        used.characters += folded.length;
        if (words.every((word) => folded.includes(word))) ids.push(id);
      }
      used.cpuMs = cpuMs() - cpuStart;
      const isOver =
        used.rows >= most.rows ||
        used.characters >= most.characters ||
        used.cpuMs >= most.cpuMs ||
        world.monotonic() >= end;
      const isLast = rows.length < ROWS_AT_A_TIME && place === rows.length - 1;
      if (ids.length === wanted || isOver) return { ids, isLast, ...used };
    }
    const isLast = rows.length < ROWS_AT_A_TIME;
    if (isLast || used.cpuMs >= SLICE_CPU_MS) return { ids, isLast, ...used };
  }
}

function fieldOf(json: string, field: string): string {
  const value = (JSON.parse(json) as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : '';
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
