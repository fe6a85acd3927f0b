import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { keysTexts } from '../../texts/keys.ts';
import type { KeySource } from './key-source.ts';

/** Gives a key a new secret. `data.key` is null if it was lost with an answer. */
export function useRotation(source: KeySource, onIssued: (secret: string) => void) {
  return useDeed(
    ({ keyId, name, grace }: { readonly keyId: string; readonly name: string; readonly grace: number }) =>
      perform(
        source.rotate,
        { path: { key_id: keyId }, body: { grace_seconds: grace } },
        keysTexts.rotation.title(name),
      ),
    ({ key }) => {
      if (key !== null) onIssued(key);
    },
  );
}
