import { Help } from 'commander';
import { hang } from './output.ts';

/** Below this width a description has its own lines, below its term. */
const NARROW = 70;
const DESCRIPTION_INDENT = 6;

/** Lays help out on terminals too narrow for two columns. */
export const narrowHelp: Partial<Help> = {
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    const width = helper.helpWidth ?? 80;
    return width < NARROW
      ? hang(`  ${term}`, description, DESCRIPTION_INDENT, width)
      : Help.prototype.formatItem.call(this, term, termWidth, description, helper);
  },
};
