import { visibleLine } from '../base/visible-text.ts';

const WIDTH = 24;
/** Width of the bar on a narrow terminal, in columns: the note needs the room more. */
const NARROW_WIDTH = 10;
const NARROW_TERMINAL = 60;

/** A progress bar on standard error, redrawn in place; draws nothing without a terminal. */
export interface ProgressBar {
  /** @param percent 0 to 100. */
  draw(percent: number, note: string): void;
  /** Removes the bar, so that the next line starts clean. */
  clear(): void;
}

/** Creates a progress bar of a terminal. @param visible whether it is drawn at all */
export function createProgressBar(visible: boolean, stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  if (!visible || !stream.isTTY) return { draw() {}, clear() {} };
  let drawn = '';
  return {
    draw(percent, note) {
      const width = stream.columns < NARROW_TERMINAL ? NARROW_WIDTH : WIDTH;
      const full = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width);
      const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.round(percent)).padStart(3)} %  ${visibleLine(note)}`;
      const line = bar.slice(0, Math.max(10, stream.columns - 1));
      if (line === drawn) return;
      stream.write(`\r\x1b[K${line}`);
      drawn = line;
    },
    clear() {
      if (drawn !== '') stream.write('\r\x1b[K');
      drawn = '';
    },
  };
}
