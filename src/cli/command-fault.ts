import { ServiceError } from '@darkroom-service/contract';
import { ConfigFault } from '../service/config/config-fault.ts';
import { explain } from './refusal-words.ts';

/** A failure that is reported to the user with its message only. */
export class CommandFault extends Error {
  /** 1 = failed, 2 = used incorrectly, 130 = interrupted. */
  readonly exitCode: 1 | 2 | 130;
  /** The document that `--json` prints instead of the message. */
  readonly document: object;

  constructor(message: string, options: { exitCode?: 1 | 2 | 130; document?: object; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CommandFault';
    this.exitCode = options.exitCode ?? 1;
    this.document = options.document ?? {
      error: { code: this.exitCode === 2 ? 'usage' : 'failed', message: this.message },
    };
  }
}

/** Creates the fault for incorrect usage: exit code 2. */
export function usageFault(message: string): CommandFault {
  return new CommandFault(message, { exitCode: 2 });
}

/** Converts any error to a CommandFault. A bug in the program keeps its stack, so that it can be found. */
export function commandFault(error: unknown): CommandFault {
  if (error instanceof CommandFault) return error;
  if (error instanceof ConfigFault) {
    return new CommandFault(error.message, {
      document: { error: { code: 'configuration', message: error.message, details: error.faults } },
    });
  }
  if (error instanceof ServiceError) {
    const { code, message, param, details } = error;
    return new CommandFault(explain(error), { document: { error: { code, message, param, details } } });
  }
  if (!(error instanceof Error)) return new CommandFault(String(error));
  const ours = PROGRAM_FAULTS.some((kind) => error instanceof kind);
  return new CommandFault(ours ? (error.stack ?? error.message) : error.message, { cause: error });
}

const PROGRAM_FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError];
