import type { TaskView as Task } from '@darkroom-service/contract/task';
import { nearUrl } from '../../api/service-url.ts';
import { factsOf } from '../../components/task-facts.ts';
import { lightTexts } from '../../texts/light.ts';
import type { TableLayout } from './table-layout.ts';

export interface SheetContent {
  readonly layout: TableLayout;
  /** Those to draw, each with a result. */
  readonly tasks: readonly Task[];
  readonly nameOf: (modelId: string) => string;
  readonly title: string;
}

const CELL = 360;
const GAP = 20;
const MARGIN = 40;
const CAPTION = 30;
const ROW_HEAD = 30;
const HEAD = 96;
const FONT = 'ui-sans-serif, system-ui, sans-serif';
const COLORS = { ground: '#fffdfa', ink: '#211b16', soft: '#665a4e', tray: '#ece4da' };

/** Draws all results on one picture, as they are on the table, with their models and facts. */
export async function contactSheet({ layout, tasks, nameOf, title }: SheetContent): Promise<Blob> {
  const isWanted = (task: Task | undefined): task is Task => task !== undefined && tasks.includes(task);
  const rows = layout.rows.filter((row) => row.tasks.some(isWanted));
  const columns = layout.columns.filter(({ index }) => rows.some(({ tasks: own }) => isWanted(own[index])));
  const heights = rows.map((row) => Math.max(...row.tasks.map((task) => heightOf(task))));
  const canvas = document.createElement('canvas');
  canvas.width = 2 * MARGIN + columns.length * (CELL + GAP) - GAP;
  canvas.height = HEAD + MARGIN + heights.reduce((sum, height) => sum + height + CAPTION + ROW_HEAD + GAP, 0);
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser cannot draw.');
  pen.fillStyle = COLORS.ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const write = (text: string, x: number, y: number, style: string, color: string, width: number) => {
    pen.font = `${style} ${FONT}`;
    pen.fillStyle = color;
    pen.fillText(shorten(pen, text, width), x, y);
  };
  write(title, MARGIN, 44, '600 22px', COLORS.ink, canvas.width - 2 * MARGIN);
  for (const [place, { modelId }] of columns.entries())
    write(nameOf(modelId), MARGIN + place * (CELL + GAP), 84, '600 16px', COLORS.ink, CELL);
  let y = HEAD;
  for (const [index, row] of rows.entries()) {
    const height = heights[index] ?? CELL;
    const words = [row.prompt ?? '', ...row.settings].filter((word) => word !== '').join(' · ');
    write(words, MARGIN, y + 20, '14px', COLORS.soft, canvas.width - 2 * MARGIN);
    for (const [place, { index: column }] of columns.entries()) {
      const task = row.tasks[column];
      const x = MARGIN + place * (CELL + GAP);
      pen.fillStyle = COLORS.tray;
      pen.fillRect(x, y + ROW_HEAD, CELL, height);
      if (!isWanted(task)) continue;
      await drawPicture(pen, task, x, y + ROW_HEAD, height);
      const { price, seconds, size, seed } = factsOf(task);
      const facts = [price, seconds, size, seed === null ? null : lightTexts.table.seed(seed)];
      write(
        facts.filter((fact) => fact !== null).join('  ·  '),
        x,
        y + ROW_HEAD + height + 20,
        '13px',
        COLORS.soft,
        CELL,
      );
    }
    y += height + CAPTION + ROW_HEAD + GAP;
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The sheet is too large.')) : resolve(blob)),
      'image/jpeg',
      0.9,
    );
  });
}

/** The picture itself; of a film, its thumbnail. A picture that cannot be loaded leaves its place empty. */
async function drawPicture(
  pen: CanvasRenderingContext2D,
  task: Task,
  x: number,
  y: number,
  height: number,
): Promise<void> {
  const output = task.outputs[0];
  const source = task.type === 'video' ? output?.thumbnail_url : output?.url;
  if (source == null) return;
  const response = await fetch(nearUrl(source)).catch(() => null);
  if (response?.ok !== true) return;
  const bitmap = await createImageBitmap(await response.blob()).catch(() => null);
  if (bitmap === null) return;
  const scale = Math.min(CELL / bitmap.width, height / bitmap.height);
  const [wide, high] = [bitmap.width * scale, bitmap.height * scale];
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, x + (CELL - wide) / 2, y + (height - high) / 2, wide, high);
  bitmap.close();
}

function heightOf(task: Task | undefined): number {
  const output = task?.outputs[0];
  if (output?.width == null || output.height == null) return 0;
  return Math.min(2 * CELL, Math.round((CELL * output.height) / output.width));
}

function shorten(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 0 && pen.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}
