import { edgeKeyOf, readSigningSecret, rotatedUntil, rotateSigningSecrets } from '../accounts/signing-secrets.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show } from './output.ts';
import type { RepeatableOptions } from './repeatable-command.ts';
import { parseDuration } from './values.ts';
import { writeOnce } from './write-once.ts';

interface RotateOptions extends OutputOptions, RepeatableOptions {
  readonly grace: string;
}

export async function rotateSecrets(options: RotateOptions): Promise<void> {
  const graceMs = parseDuration(options.grace, '--grace');
  const { answer: rotated } = await writeOnce('refuse', options, {
    asked: { command: 'secrets rotate', graceMs },
    make: (database, by) => rotateSigningSecrets(database, by, { graceMs }),
    again: async (_read, subject) => rotatedUntil(subject),
  });
  const text = `Every process uses the new secrets within five seconds. What was signed before works until ${rotated.previous_until}.`;
  show(options, { json: rotated, text });
}

export async function showEdgeKeys(options: OutputOptions): Promise<void> {
  const { accepted } = await withLocalData('refuse', ({ database, by }) =>
    readSigningSecret(database.read, 'file_signature', by.now),
  );
  const keys = accepted.map(edgeKeyOf);
  show(options, { json: { keys }, text: keys.join(' ') });
}
