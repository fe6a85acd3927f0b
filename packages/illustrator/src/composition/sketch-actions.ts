import type { JsonValue } from '@darkroom-service/contract';
import { deriveSeed } from '../model/random.ts';
import type { Scene, StyleName } from '../model/scene.ts';
import type { View } from '../model/stage.ts';
import { changeRegion } from './change-region.ts';
import type { SceneOptions } from './compose-scene.ts';
import { extendScene } from './extend-scene.ts';
import type { Area, Base, Origin, Plan } from './plan.ts';
import { varyScene } from './vary-scene.ts';

interface Sides {
  readonly width: number;
  readonly height: number;
}

export interface ActionOrder {
  readonly action: string;
  readonly values: { readonly [name: string]: JsonValue };
  readonly seed: number;
  readonly parent: Plan;
  /** The parent's picture, in pixels. */
  readonly parentSize: Sides;
  readonly output: Sides;
  /** Colours and light from the reference pictures of a rerolled create; empty for other actions. */
  readonly lent?: Pick<SceneOptions, 'colours' | 'light'>;
  /** Whether a mask is available; for a reroll, the parent's mask. */
  readonly hasMask: boolean;
  /** Bounding box of the mask's white part. */
  readonly region?: Area | null;
}

const WHOLE: Area = { x: 0, y: 0, width: 1, height: 1 };
/** Styles that do not depend on the picture's edge; in the others, old and new are painted together. */
const PLAIN_STYLES: readonly StyleName[] = ['illustration', 'pastel', 'paper_cut'];
/** Width of the paper margin, as a share of the picture's sides. */
const MARGINS: Partial<Record<StyleName, number>> = { watercolour: 0.07 };
/** Width of the soft edge between the old picture and the new one around it, in fractions of the shorter side. */
const FEATHER = 0.05;

/**
 * Plans a follow-up action from its parent: an upscale paints the same scene larger, a zoom-out shows more of it, a
 * variation varies it.
 * @throws RangeError if the action does not suit the parent.
 */
export function applyAction(order: ActionOrder): Plan {
  const { action, values, parent } = order;
  if (action === 'reroll') return reroll(order);
  const plan = planAction(order);
  const { origin: _, ...kept } = parent;
  return { ...plan, origin: { action, values, parent: { ...kept, base: null } } };
}

function planAction(order: ActionOrder): Omit<Plan, 'origin'> {
  const { action, values, seed, parent } = order;
  const prompt = typeof values.prompt === 'string' && values.prompt.trim() !== '' ? values.prompt : null;
  switch (action) {
    case 'upscale':
      return single(tileOf(parent, values.index), parent.pure ? null : { area: tileArea(values.index), feather: 0 });
    case 'variation':
      return grid(fourOf(seed, (each) => varyScene(tileOf(parent, values.index), each, 'subtle', prompt)));
    case 'vary_subtle':
      return grid(fourOf(seed, (each) => varyScene(onlyScene(parent), each, 'subtle', prompt)));
    case 'vary_strong':
      return grid(fourOf(seed, (each) => varyScene(onlyScene(parent), each, 'strong', prompt)));
    case 'remix': {
      const strength = values.strength === 'subtle' ? 'subtle' : 'strong';
      return grid(
        fourOf(seed, (each, tile) => varyScene(parent.scenes[tile] ?? onlyScene(parent), each, strength, prompt)),
      );
    }
    case 'upscale_subtle':
      return { ...single(onlyScene(parent), parent.pure ? null : { area: WHOLE, feather: 0 }), view: parent.view };
    case 'upscale_creative': {
      const scene = onlyScene(parent);
      const richer = { ...scene, detail: Math.min(2, scene.detail + 0.6) };
      return { ...single(richer, parent.pure ? null : { area: WHOLE, feather: 0 }), view: parent.view };
    }
    case 'vary_region': {
      const view = viewOf(order);
      const scene = changeRegion(onlyScene(parent), prompt, seed, view, order.region ?? null);
      return {
        version: 1,
        kind: 'single',
        scenes: [scene],
        view: parent.view,
        base: { crop: WHOLE, place: WHOLE, feather: 0, masked: true },
        pure: false,
      };
    }
    case 'zoom_out':
    case 'pan':
    case 'make_square':
      return extend(order, placeOf(order), prompt);
    default:
      throw new RangeError(`expected a follow-up action that the illustrator knows, found '${action}'`);
  }
}

function viewOf({ parent, parentSize }: Pick<ActionOrder, 'parent' | 'parentSize'>): View {
  return parent.view ?? { ...WHOLE, frameRatio: parentSize.width / parentSize.height };
}

/** Paints more of the same scene around the old picture. */
function extend({ parent, parentSize }: ActionOrder, place: Area, prompt: string | null): Omit<Plan, 'origin'> {
  const scene = onlyScene(parent);
  const old = viewOf({ parent, parentSize });
  const view: View = {
    frameRatio: old.frameRatio,
    x: old.x - (place.x / place.width) * old.width,
    y: old.y - (place.y / place.height) * old.height,
    width: old.width / place.width,
    height: old.height / place.height,
  };
  const pure = prompt === null && parent.pure;
  const repainted = pure && !PLAIN_STYLES.includes(scene.style);
  return {
    version: 1,
    kind: 'single',
    scenes: [prompt === null ? scene : extendScene(scene, prompt, view)],
    view,
    base: repainted ? null : baseAt(place, pure ? 0 : FEATHER, scene.style),
    pure,
  };
}

/** Returns the base without a painted margin, which would end up in the middle of the new picture. */
function baseAt(place: Area, feather: number, style: StyleName): Base {
  const margin = feather > 0 ? (MARGINS[style] ?? 0) : 0;
  const crop = { x: margin, y: margin, width: 1 - 2 * margin, height: 1 - 2 * margin };
  return {
    crop,
    place: {
      x: place.x + margin * place.width,
      y: place.y + margin * place.height,
      width: place.width * crop.width,
      height: place.height * crop.height,
    },
    feather,
    masked: false,
  };
}

/** Returns the position of the parent's picture in the new one. */
function placeOf({ action, values, parentSize, output }: ActionOrder): Area {
  if (action === 'zoom_out') {
    const ratio = typeof values.ratio === 'number' ? values.ratio : 2;
    return centred(fit(parentSize, output, 1 / ratio));
  }
  if (action === 'make_square') return centred(fit(parentSize, output, 1));
  const sideways = values.direction === 'left' || values.direction === 'right';
  const whole = sideways ? output.height / parentSize.height : output.width / parentSize.width;
  const width = (parentSize.width * whole) / output.width;
  const height = (parentSize.height * whole) / output.height;
  // A picture that grows keeps all of the parent; one that keeps its size drops half of it.
  const kept = sideways ? (width < 0.95 ? 0 : width / 2) : height < 0.95 ? 0 : height / 2;
  switch (values.direction) {
    case 'left':
      return { x: 1 - width + kept, y: 0, width, height };
    case 'right':
      return { x: -kept, y: 0, width, height };
    case 'up':
      return { x: 0, y: 1 - height + kept, width, height };
    case 'down':
      return { x: 0, y: -kept, width, height };
    default:
      throw new RangeError(`expected direction left, right, up or down, found '${String(values.direction)}'`);
  }
}

function fit(inner: Sides, outer: Sides, share: number): Sides {
  const scale = Math.min(outer.width / inner.width, outer.height / inner.height) * share;
  return { width: (inner.width * scale) / outer.width, height: (inner.height * scale) / outer.height };
}

function centred({ width, height }: Sides): Area {
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

/**
 * Repeats the parent's own operation with another seed. The content of the parent's parent is still at its position in
 * the parent's picture.
 */
function reroll(order: ActionOrder): Plan {
  const { parent, seed, values } = order;
  const prompt = typeof values.prompt === 'string' && values.prompt.trim() !== '' ? values.prompt : null;
  const { origin, base } = parent;
  const again = (scene: Scene, tile: number): Scene =>
    varyScene(scene, deriveSeed(seed, 'reroll', tile), 'strong', prompt, order.lent);
  if (origin === null) return { ...parent, base: null, scenes: parent.scenes.map(again) };
  if (base?.masked === true && order.hasMask) return repeat(order, origin, prompt);
  if (base !== null && !base.masked) {
    const inside: Area = { x: Math.max(0, base.place.x), y: Math.max(0, base.place.y), width: 0, height: 0 };
    const crop = {
      ...inside,
      width: Math.min(1, base.place.x + base.place.width) - inside.x,
      height: Math.min(1, base.place.y + base.place.height) - inside.y,
    };
    return {
      ...parent,
      scenes: parent.scenes.map(again),
      base: { crop, place: crop, feather: FEATHER, masked: false },
      pure: false,
    };
  }
  if (parent.kind === 'single') return { ...parent, base: null, pure: true, scenes: parent.scenes.map(again) };
  return repeat(order, origin, prompt);
}

/** Repeats an action on the same scene. For a changed region, the parent's picture still shows all that was kept. */
function repeat(order: ActionOrder, origin: Origin, prompt: string | null): Plan {
  const { action, values, parent } = origin;
  const wishes = prompt === null ? values : { ...values, prompt };
  return { ...applyAction({ ...order, action, values: wishes, parent: { ...parent, origin: null } }), origin };
}

function single(scene: Scene, base: { area: Area; feather: number } | null): Omit<Plan, 'origin'> {
  return {
    version: 1,
    kind: 'single',
    scenes: [scene],
    view: null,
    base: base === null ? null : { crop: base.area, place: WHOLE, feather: base.feather, masked: false },
    pure: base === null,
  };
}

function grid(scenes: readonly Scene[]): Omit<Plan, 'origin'> {
  return { version: 1, kind: 'grid', scenes, view: null, base: null, pure: true };
}

function fourOf(seed: number, make: (seed: number, tile: number) => Scene): Scene[] {
  return [0, 1, 2, 3].map((tile) => make(deriveSeed(seed, 'tile', tile), tile));
}

function tileOf(parent: Plan, index: JsonValue | undefined): Scene {
  const scene = typeof index === 'number' ? parent.scenes[index - 1] : undefined;
  if (scene === undefined)
    throw new RangeError(`expected the index of one of ${parent.scenes.length} tiles, found ${String(index)}`);
  return scene;
}

function tileArea(index: JsonValue | undefined): Area {
  const tile = Number(index) - 1;
  return { x: (tile % 2) / 2, y: Math.floor(tile / 2) / 2, width: 0.5, height: 0.5 };
}

function onlyScene(parent: Plan): Scene {
  const scene = parent.scenes[0];
  if (scene === undefined) throw new RangeError('expected a parent with a scene, found none; order a new picture');
  return scene;
}
