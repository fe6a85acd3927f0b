import { createInterface } from 'node:readline/promises';
import { usageFault } from './command-fault.ts';

/** Asks a question that needs a yes. @throws CommandFault if there is no terminal; `otherwise` says what to add. */
export async function askYes(question: string, otherwise: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw usageFault(`there is nobody to ask. ${otherwise}`);
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asked.question(`${question} [y/N] `)).trim());
  } finally {
    asked.close();
  }
}
