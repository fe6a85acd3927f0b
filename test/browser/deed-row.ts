import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';

/** One form or button of the console that changes something. */
export interface DeedRow {
  readonly name: string;
  /** The places in `console/src` that it stands for: file and operation. */
  readonly covers: readonly string[];
  /** In place of the service of the other rows. */
  readonly service?: Pick<TestService, 'url'>;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly request: RegExp;
  /** A further press continues it with the same Idempotency-Key. */
  readonly isContinued?: boolean;
  /** It stands in no list of orders: whoever wants it chooses it again. */
  readonly isUnbooked?: boolean;
  /** After a lost answer the page is read again, and shows that it was done in place of the note and the button. */
  readonly isReadAgain?: boolean;
  /** The press that goes well says whether it was done now, or by one before. */
  readonly tellsWhen?: boolean;
  /** Words that a lost answer must not bring. */
  readonly untrue?: readonly string[];
  readonly prepare: () => Promise<PreparedDeed>;
}

/** The subject of a row, and how a page does the deed to it. */
export interface PreparedDeed {
  readonly keys?: Partial<TestService['keys']>;
  readonly at: string;
  /** In place of keys: signs a person in, and goes to the page. */
  readonly signIn?: (page: Page) => Promise<unknown>;
  /** How often it was done, by the interface. */
  readonly count: () => Promise<number>;
  readonly press: (page: Page) => Promise<unknown>;
  readonly again?: (page: Page) => Promise<unknown>;
  /** Leaves the service to the next row as it was. */
  readonly restore?: () => Promise<unknown>;
  readonly doneWords: (page: Page, isDoneNow: boolean) => Promise<unknown>;
}
