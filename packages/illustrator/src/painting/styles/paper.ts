import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { createRandom } from '../../model/random.ts';
import type { Stage } from '../../model/stage.ts';
import type { Finish } from './finish.ts';
import { layOver, pixelOf, writePixels } from './pixels.ts';

const TILE = 160;
/** The number of grains along the shorter side of a picture. */
const GRAINS = 600;

/** Adds a paper grain. The shadows of the cut sheets are painted earlier, with the layers. */
export function finishPaperCut(stage: Stage, shown: { readonly width: number; readonly height: number }): Finish {
  const { width, height } = shown;
  const scale = Math.min(width, height) / GRAINS;
  const paper = createCanvas(width, height);
  const paperBrush = paper.getContext('2d');
  paperBrush.scale(scale, scale);
  paperBrush.fillStyle = paperBrush.createPattern(grainTile(stage.scene.seed), 'repeat');
  paperBrush.fillRect(0, 0, width / scale, height / scale);
  return (painted, onto) => {
    if (painted !== onto) layOver(onto, painted);
    const brush = onto.getContext('2d');
    brush.save();
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.globalCompositeOperation = 'multiply';
    brush.drawImage(paper, 0, 0);
    brush.restore();
  };
}

/** Paints a tile of fine grains over coarse ones, slightly warmer than white. */
function grainTile(seed: number): Canvas {
  const random = createRandom(seed, 'paper');
  const coarse = createCanvas(TILE / 4, TILE / 4);
  const fine = createCanvas(TILE, TILE);
  for (const canvas of [coarse, fine])
    writePixels(canvas, (words) => {
      for (let at = 0; at < words.length; at++) {
        const shade = 255 - random.next() ** 2 * 20;
        words[at] = pixelOf(shade, shade - 1, shade - 4);
      }
    });
  const brush = fine.getContext('2d');
  brush.globalCompositeOperation = 'multiply';
  brush.drawImage(coarse, 0, 0, TILE, TILE);
  return fine;
}
