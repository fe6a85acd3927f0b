import { buffer } from 'node:stream/consumers';
import { usageFault } from './command-fault.ts';

/** The argument that means standard input, or standard output after `-o`. */
export const STANDARD = '-';

let isRead = false;

/**
 * Reads all of standard input.
 * @param what shown to a person who has to type it.
 * @throws CommandFault the second time.
 */
export async function readStandardInput(what: string): Promise<Buffer> {
  if (isRead) throw usageFault('Standard input (-) can be used only once in a command.');
  isRead = true;
  if (process.stdin.isTTY) process.stderr.write(`Enter ${what}, then press Ctrl-D.\n`);
  return await buffer(process.stdin);
}

/** Returns the prompt; `-` reads it from standard input, without the line end. */
export async function readPrompt(prompt: string | undefined): Promise<string | undefined> {
  if (prompt !== STANDARD) return prompt;
  const text = (await readStandardInput('the prompt')).toString('utf8');
  return text.replace(/\r?\n$/, '');
}
