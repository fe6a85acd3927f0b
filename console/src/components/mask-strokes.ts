/** A point in the image, as fractions of its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One brush stroke; its width is a fraction of the image's. */
export interface Stroke {
  readonly erase: boolean;
  readonly brush: number;
  readonly points: readonly Point[];
}

/** Draws the strokes: coloured over an image, or white on black as the API expects a mask. */
export function drawMask(
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

/** Returns the mask as a PNG of the image's size: white is changed, black stays. */
export async function maskFile(
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
