import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { visibleJson, visibleText } from '../base/visible-text.ts';

/** Prints a text and a line end. Control characters of others are shown, never sent to the terminal. */
export function print(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  if (text !== '') stream.write(`${visibleText(text)}\n`);
}

/** Prints a document as JSON. @param indent 0 for one line */
export function printJson(document: unknown, indent = 2): void {
  process.stdout.write(`${visibleJson(JSON.stringify(document, null, indent))}\n`);
}

/** Prints portions of JSON lines, one at a time as the reader of the pipe takes them. */
export async function printJsonLines(portions: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(portions, { highWaterMark: 1 }).map(visibleJson), process.stdout, { end: false });
}
