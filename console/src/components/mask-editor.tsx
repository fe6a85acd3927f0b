import { Button, Group, Slider, Stack } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { uploadFile } from '../api/deeds.ts';
import { useTask } from '../api/follow-task.ts';
import { nearUrl } from '../api/service-url.ts';
import { useApi } from '../api/use-api.ts';
import { frameTexts } from '../texts/frame.ts';
import { PlainButton } from './buttons.ts';
import { Dialog } from './dialog.tsx';
import { Segments } from './inputs.tsx';
import classes from './mask-editor.module.css';
import { Fault, Hint } from './words.tsx';

const FIRST_BRUSH = 12;
const STEP = 0.03;
const TOOLS = { paint: 'Paint', erase: 'Erase' };

/** Lets the user paint a mask over an image: painted areas become white. Uploads it and returns its reference. */
export function MaskEditor({
  source,
  onClose,
  onDone,
  submitLabel = 'Use this mask',
  children,
}: {
  /** The reference of the image. */
  readonly source: string;
  readonly onClose: () => void;
  readonly onDone: (mask: string) => void;
  readonly submitLabel?: string;
  readonly children?: ReactNode;
}) {
  const address = usePicture(source);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [brush, setBrush] = useState(FIRST_BRUSH);
  const [tool, setTool] = useState<keyof typeof TOOLS>('paint');
  const [cursor, setCursor] = useState<Point>({ x: 0.5, y: 0.5 });
  const drawing = useRef(false);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context !== null && context !== undefined) drawMask(context, strokes, { over: true });
  }, [strokes]);

  const begin = (point: Point) =>
    setStrokes([...strokes, { erase: tool === 'erase', brush: brush / 100, points: [point] }]);
  const extend = (point: Point) =>
    setStrokes((all) => {
      const last = all.at(-1);
      return last === undefined ? all : [...all.slice(0, -1), { ...last, points: [...last.points, point] }];
    });
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drawing.current = true;
    begin(pointOf(event));
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    if (drawing.current) extend(pointOf(event));
    setCursor(pointOf(event));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, Point> = {
      ArrowLeft: { x: -STEP, y: 0 },
      ArrowRight: { x: STEP, y: 0 },
      ArrowUp: { x: 0, y: -STEP },
      ArrowDown: { x: 0, y: STEP },
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setCursor({ x: within(cursor.x + move.x), y: within(cursor.y + move.y) });
    } else if (event.key === ' ') {
      event.preventDefault();
      begin(cursor);
    }
  };
  const save = useMutation({
    mutationFn: async () => {
      if (size === null || !strokes.some(({ erase }) => !erase))
        throw new Error('First paint over the area to change.');
      const { file_id: id } = await uploadFile(await maskFile(strokes, size));
      onDone(`upload:${id}`);
      onClose();
    },
  });

  return (
    <Dialog onClose={onClose} size="xl" title="Paint the area to change" centered={false}>
      <Stack>
        <Hint>
          The painted area is changed, the rest stays. With the keyboard: arrows move the brush, Space paints.
        </Hint>
        <div className={classes.board}>
          {address !== null && (
            <img
              src={address}
              alt=""
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
            />
          )}
          {size !== null && (
            <canvas
              ref={canvas}
              className={classes.canvas}
              width={size.width}
              height={size.height}
              tabIndex={0}
              role="img"
              aria-label="Mask over the image"
              onPointerDown={onPointerDown}
              onPointerMove={onPointerMove}
              onPointerUp={() => {
                drawing.current = false;
              }}
              onKeyDown={onKeyDown}
            />
          )}
          <span
            className={classes.brush}
            style={{ left: `${cursor.x * 100}%`, top: `${cursor.y * 100}%`, width: `${brush}%` }}
          />
        </div>
        <Group align="center" gap="lg">
          <Segments label="Tool" words={TOOLS} value={tool} onChange={setTool} />
          <Slider
            style={{ flex: 1, minWidth: 140 }}
            min={2}
            max={40}
            value={brush}
            onChange={setBrush}
            label={null}
            thumbLabel="Size of the brush"
          />
          <Group gap={6}>
            <PlainButton
              leftSection={<IconArrowBackUp size={16} />}
              onClick={() => setStrokes(strokes.slice(0, -1))}
              disabled={strokes.length === 0}
            >
              Undo
            </PlainButton>
            <PlainButton
              leftSection={<IconTrash size={16} />}
              onClick={() => setStrokes([])}
              disabled={strokes.length === 0}
            >
              Clear
            </PlainButton>
          </Group>
        </Group>
        {children}
        {save.error !== null && <Fault>{save.error.message}</Fault>}
        <Group justify="flex-end">
          <PlainButton onClick={onClose}>{frameTexts.cancel}</PlainButton>
          <Button onClick={() => save.mutate()} loading={save.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Returns the URL to load the image from; null while it is requested, or if the image is external. */
function usePicture(source: string): string | null {
  const taskId = source.startsWith('task:') ? source.slice('task:'.length) : null;
  const fileId = source.startsWith('upload:') ? source.slice('upload:'.length) : null;
  const task = useTask(taskId);
  const file = useApi('GET /v1/files/{file_id}', fileId === null ? null : { path: { file_id: fileId } });
  const url = task.data?.outputs[0]?.url ?? file.data?.url ?? (source.includes('/files/') ? source : null);
  return url === null ? null : nearUrl(url);
}

function pointOf(event: PointerEvent<HTMLCanvasElement>): Point {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: within((event.clientX - box.left) / box.width), y: within((event.clientY - box.top) / box.height) };
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** A point in the image, as fractions of its width and height. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** A brush stroke; its width is a fraction of the image's. */
interface Stroke {
  readonly erase: boolean;
  readonly brush: number;
  readonly points: readonly Point[];
}

/** Draws the strokes: coloured over an image, or white on black as the API expects a mask. */
function drawMask(
  context: CanvasRenderingContext2D,
  strokes: readonly Stroke[],
  { over }: { readonly over: boolean },
): void {
  const { width, height } = context.canvas;
  context.globalCompositeOperation = 'source-over';
  context.clearRect(0, 0, width, height);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const { erase, brush, points } of strokes) {
    context.globalCompositeOperation = erase ? 'destination-out' : 'source-over';
    context.strokeStyle = over ? '#ff6a33' : '#fff';
    context.lineWidth = brush * width;
    context.beginPath();
    for (const [index, { x, y }] of points.entries()) {
      if (index === 0) context.moveTo(x * width, y * height);
      context.lineTo(x * width, y * height);
    }
    context.stroke();
  }
  if (over) return;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
}

/** Returns the mask as a PNG of the image's size: white areas are changed, black ones stay. */
async function maskFile(
  strokes: readonly Stroke[],
  { width, height }: { readonly width: number; readonly height: number },
): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context !== null) drawMask(context, strokes, { over: false });
  return await new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob === null
          ? reject(new Error(`No mask of ${width}×${height}`))
          : resolve(new File([blob], 'mask.png', blob)),
      'image/png',
    ),
  );
}
