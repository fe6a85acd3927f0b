import { type OutputOptions, type RepeatableOptions, show, writeOnce } from '@darkroom-service/darkroom/kernel-cli';
import { retireKeys } from './receipt-keys.ts';

export async function rotateKey(options: OutputOptions & RepeatableOptions): Promise<void> {
  const { answer } = await writeOnce('refuse', options, {
    asked: { command: 'receipts rotate' },
    make: ({ database }, by) => retireKeys(database, by),
    again: async (_data, subject) => ({ retired: subject.split(' ').filter((kid) => kid !== '') }),
  });
  show(options, {
    json: answer,
    text: 'The next receipt is signed with a new key. Receipts that exist stay valid: their public keys remain in /.well-known/jwks.json.',
  });
}
