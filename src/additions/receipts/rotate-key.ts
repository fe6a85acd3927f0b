import { withLocalData } from '../../cli/local-database.ts';
import { show } from '../../cli/output.ts';
import { doCommandOnce } from '../../cli/repeatable-command.ts';
import { retireKeys } from './receipt-keys.ts';
import type { RotateOptions } from './receipts-command.ts';

export async function rotateKey(options: RotateOptions): Promise<void> {
  const { answer } = await withLocalData('refuse', (data) =>
    doCommandOnce(
      data,
      options,
      { command: 'receipts rotate' },
      {
        make: (by) => retireKeys(data.database, by),
        again: async (subject) => ({ retired: subject.split(' ').filter((kid) => kid !== '') }),
      },
    ),
  );
  show(options, {
    json: answer,
    text: 'The next receipt is signed with a new key. Receipts that exist stay valid: their public keys remain in /.well-known/jwks.json.',
  });
}
