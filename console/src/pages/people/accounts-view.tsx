import { AccountsPanel } from './accounts-panel.tsx';
import { WithNotice } from './with-notice.tsx';

/** The accounts, their balances and terms. */
export function AccountsView() {
  return <WithNotice>{(tell) => <AccountsPanel onNotice={tell} />}</WithNotice>;
}
