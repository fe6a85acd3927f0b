import { createInterface } from 'node:readline/promises';
import { usageFault } from './command-fault.ts';

/** Asks a question that needs a yes. @throws CommandFault if there is no terminal; `otherwise` says what to add. */
export async function askYes(question: string, otherwise: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `, otherwise));
}

/** Returns an answer without the space around it. @throws CommandFault as `askYes` does */
export async function ask(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY) throw usageFault(`there is nobody to ask. ${otherwise}`);
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await asked.question(question)).trim();
  } finally {
    asked.close();
  }
}
