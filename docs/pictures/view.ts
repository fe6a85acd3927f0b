import type { Page } from 'playwright-core';
import type { BusyConsole } from './busy-console.ts';

/** One view of the console: where it is, and what is done there before it is pictured. */
export interface View {
  readonly name: string;
  /** What stands after the `#`; the Studio if not said. */
  readonly at?: (service: BusyConsole) => string;
  /** The keys of whoever looks; all of the busy service if not said. */
  readonly keys?: (service: BusyConsole) => { readonly test?: string; readonly live?: string; readonly admin?: string };
  readonly reach: (page: Page, service: BusyConsole) => Promise<void>;
  /** The page in its whole length, where it is kept to be looked at. */
  readonly whole?: boolean;
  /** Also in the documentation in its whole length. */
  readonly documentedWhole?: boolean;
  /** How it is shown in the documentation. */
  readonly documented?: string;
}
