import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '@darkroom-service/contract';
import { visibleText } from '../base/visible-text.ts';
import { usageFault } from './command-fault.ts';
import { print } from './print.ts';

/** The argument that means standard input, or standard output after `-o`. */
export const STANDARD = '-';

let readBefore: NodeJS.ReadStream | null = null;

/**
 * Reads all of standard input.
 * @param what shown to a person who has to type it.
 * @throws CommandFault when it is called a second time.
 */
export async function readStandardInput(what: string): Promise<Buffer> {
  if (readBefore === process.stdin) throw usageFault('Standard input (-) can be used only once in a command.');
  readBefore = process.stdin;
  if (process.stdin.isTTY) print(`Enter ${what}, then press Ctrl-D.`, process.stderr);
  return await buffer(process.stdin);
}

/** Returns the prompt; `-` reads it from standard input, without the line end. */
export async function readPrompt(prompt: string | undefined): Promise<string | undefined> {
  if (prompt !== STANDARD) return prompt;
  const text = decodeText(await readStandardInput('the prompt'), 'the prompt');
  return text.replace(/\r?\n$/, '');
}

/** Asks a question that needs a yes. @throws CommandFault if there is no terminal; `otherwise` says what to add. */
export async function requireYes(question: string, otherwise: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `, otherwise));
}

/** Returns an answer without the space around it. @throws CommandFault as `requireYes` does */
export async function ask(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw usageFault(`there is nobody to ask. ${otherwise}`);
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await asked.question(visibleText(question))).trim();
  } finally {
    asked.close();
  }
}
