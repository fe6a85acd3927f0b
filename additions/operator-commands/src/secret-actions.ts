import {
  edgeKeyOf,
  readSigningSecret,
  rotatedUntil,
  rotateSigningSecrets,
} from '@darkroom-service/darkroom/kernel-accounts';
import {
  type OutputOptions,
  parseDuration,
  type RepeatableOptions,
  show,
  withLocalData,
  writeOnce,
} from '@darkroom-service/darkroom/kernel-cli';

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
