import { edgeKeyOf, readSigningSecret } from '../accounts/signing-secrets.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show } from './output.ts';

export async function showEdgeKeys(options: OutputOptions): Promise<void> {
  const { accepted } = await withLocalData('refuse', ({ database, by }) =>
    readSigningSecret(database.read, 'file_signature', by.now),
  );
  const keys = accepted.map(edgeKeyOf);
  show(options, { json: { keys }, text: keys.join(' ') });
}
