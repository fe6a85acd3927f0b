import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { BYTECODE, type Printed, type Python } from './python.ts';

interface Answer {
  readonly call: number;
  readonly value?: Printed;
  /** The traceback of what `answer` raised. */
  readonly fault?: string;
}

/** Reads calls, a line each, and answers each in a thread of its own. Ends when its starter has ended. */
const LOOP = `
import json, sys, threading, traceback

writing = threading.Lock()

def work(call, given):
    try:
        said = {"call": call, "value": answer(given)}
    except Exception:
        said = {"call": call, "fault": traceback.format_exc()}
    with writing:
        print(json.dumps(said), flush=True)

for line in sys.stdin:
    threading.Thread(target=work, args=json.loads(line), daemon=True).start()
`;

/**
 * Starts a script that defines `answer(given)`, and keeps it running for many calls: importing a large package takes
 * longer than they do. It does not keep this process from ending.
 * @returns a function that calls `answer`. It throws an Error with the script's complaint when that fails.
 */
export function startPythonProgram({ path, variables }: Python, script: string): (given: unknown) => Promise<Printed> {
  const child = spawn(path, ['-c', `${script}\n${LOOP}`], {
    env: { PATH: process.env.PATH, ...BYTECODE, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let calls = 0;
  const keepAwake = (isAwake: boolean) => {
    for (const one of [child, child.stdin, child.stdout, child.stderr] as readonly { ref?(): void; unref?(): void }[])
      if (isAwake) one.ref?.();
      else one.unref?.();
  };
  const take = (answer: Answer) => {
    waiting.get(answer.call)?.(answer);
    waiting.delete(answer.call);
    if (waiting.size === 0) keepAwake(false);
  };
  createInterface(child.stdout).on('line', (line) => take(JSON.parse(line)));
  const complaint = text(child.stderr);
  child.once('close', async (code) => {
    const fault = `The Python program ended with ${code}:\n${await complaint}`;
    for (const call of waiting.keys()) take({ call, fault });
  });
  return async (given) => {
    const call = ++calls;
    keepAwake(true);
    const { value, fault } = await new Promise<Answer>((resolve) => {
      waiting.set(call, resolve);
      child.stdin.write(`${JSON.stringify([call, given])}\n`);
    });
    if (fault !== undefined) throw new Error(fault);
    return value;
  };
}
