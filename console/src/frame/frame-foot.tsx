import { Balance } from './balance.tsx';
import classes from './frame.module.css';
import { KeyDialog } from './key-dialog.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { OrderTray } from './order-tray.tsx';
import { SessionMenu } from './session-menu.tsx';

/** What every page has besides the navigation: the orders under way, the key in use, and the menus. */
export function FrameFoot() {
  return (
    <>
      <OrderTray />
      <div className={classes.money}>
        <Balance />
        <ModeSwitch />
      </div>
      <SessionMenu />
      <KeyDialog />
    </>
  );
}
