/** A request of the documentation, as one of its `http` blocks spells it. */
export interface ShownRequest {
  readonly method: string;
  /** With placeholders such as `{image}`. */
  readonly path: string;
  /** As `Name: value`. */
  readonly headers: readonly string[];
  /** Empty without a body. */
  readonly body: string;
  /** Sent without a key. */
  readonly isOpen: boolean;
  /** Content type of the file that is sent in place of a body. */
  readonly upload: string | null;
  /** File in which the response is saved. */
  readonly save: string | null;
  /** Name that later examples use for the id in the response. */
  readonly made: string | null;
}

/** A name that stands for the id that an earlier example made. */
export const PLACEHOLDER = /\{([a-z]+)\}/g;

/**
 * Reads a request of the documentation. It is written like this; `{image}` stands for the id that an earlier example
 * with `as=image` made:
 *
 *     POST /v1/images
 *     Prefer: wait=45
 *
 *     { "model_id": "sketch", "prompt": "a fox" }
 *
 * @param words after `http` on the first line of the block: the status, then `open` (sent without a key), `as=<name>`
 * (the id is used later), `upload=<type>` (a file instead of a body) and `save=<file>` (where the response goes).
 */
export function readRequest(request: string, words: string): ShownRequest {
  const [head = '', ...rest] = request.split('\n');
  const [method = '', path = ''] = head.split(' ');
  const start = rest.findIndex((line) => line === '' || line.startsWith('{'));
  return {
    method,
    path,
    headers: start < 0 ? rest : rest.slice(0, start),
    body: start < 0 ? '' : rest.slice(start).join('\n').trim(),
    isOpen: / open\b/.test(words),
    upload: wordOf(words, 'upload'),
    save: wordOf(words, 'save'),
    made: wordOf(words, 'as'),
  };
}

/** Returns the field of the response that has the id of what a request to this path makes. */
export function idField(path: string): string {
  if (path === '/v1/batches') return 'batch_id';
  if (path === '/v1/shares') return 'share_id';
  return path === '/v1/files' ? 'file_id' : 'task_id';
}

function wordOf(words: string, name: string): string | null {
  return new RegExp(` ${name}=(\\S+)`).exec(words)?.[1] ?? null;
}
