import { CommandFault, shellWord } from '@darkroom-service/darkroom/kernel-cli';

/** Returns the advice on continuing a batch, and on canceling it. */
export function adviceOn(batchId: string, folder: string): string {
  const command = `darkroom batch -o ${shellWord(folder)}`;
  return `The batch continues: ${batchId}\nGo on with it: ${command}\nCancel what has not started: ${command} --cancel`;
}

/** Creates the fault after Ctrl-C: the command ends, the batch continues. */
export function interruptedFault(batchId: string, folder: string): CommandFault {
  const message = adviceOn(batchId, folder);
  return new CommandFault(message, {
    exitCode: 130,
    document: { error: { code: 'interrupted', message }, batch_id: batchId },
  });
}

/** Adds to any failure that the batch continues. */
export function withBatchId(error: unknown, batchId: string, folder: string): CommandFault {
  const why = error instanceof Error ? error.message : String(error);
  const known = error instanceof CommandFault ? error.document : { error: { code: 'failed', message: why } };
  return new CommandFault(`${why}\n${adviceOn(batchId, folder)}`, {
    cause: error,
    document: { ...known, batch_id: batchId },
  });
}
