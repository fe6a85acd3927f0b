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
    make: ({ secrets }, by) => secrets.rotate(by, { graceMs }),
    again: ({ secrets }, subject) => secrets.rotated(subject),
  });
  const text = `Every process uses the new secrets within five seconds. What was signed before works until ${rotated.previous_until}.`;
  show(options, { json: rotated, text });
}

export async function showEdgeKeys(options: OutputOptions): Promise<void> {
  const keys = await withLocalData('refuse', ({ by, secrets }) => secrets.edgeKeys(by.now));
  show(options, { json: { keys }, text: keys.join(' ') });
}
