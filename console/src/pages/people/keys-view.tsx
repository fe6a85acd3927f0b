import { useMay } from '../../api/may.ts';
import { useKeySource } from './key-source.ts';
import { KeysPanel } from './keys-panel.tsx';
import { SigningSecrets } from './signing-secrets.tsx';
import { WithNotice } from './with-notice.tsx';

/** The keys that the session may see, and the secrets by which the service signs. */
export function KeysView() {
  const may = useMay();
  const source = useKeySource();
  return (
    <WithNotice>
      {(tell) => (
        <>
          <KeysPanel source={source} onNotice={tell} />
          {may('POST /admin/v1/signing_secrets/rotate') && <SigningSecrets onNotice={tell} />}
        </>
      )}
    </WithNotice>
  );
}
