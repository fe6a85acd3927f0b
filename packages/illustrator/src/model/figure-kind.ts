import type { Drawing } from './drawing.ts';
import type { Figure, TimeName } from './scene.ts';

/** A kind of figure that the illustrator can draw. The kind's name is its key in the list of figures. */
export interface FigureKind {
  /**
   * The words that name it, by language: separated by commas, an irregular plural after a slash ("mouse/mice"). Kinds
   * that only furnish places have none.
   */
  readonly words: Partial<Readonly<Record<'en' | 'de' | 'fr' | 'es', string>>>;
  readonly habitat: Habitat;
  readonly drawing: Drawing;
  /** Drawn instead while it walks or runs. */
  readonly walking?: Drawing;
  /** Drawn instead while it is in the air. */
  readonly flying?: Drawing;
  /** Drawn instead while it sleeps. */
  readonly asleep?: Drawing;
  /** Drawn instead where the prompt says that it is old. */
  readonly aged?: Drawing;
  /** Returns the drawing for the features a prompt names, such as glasses. */
  readonly drawingFor?: (features: readonly string[]) => Drawing;
  /** Whether the main colour is that of the season's leaves. */
  readonly followsFoliage?: true;
  readonly gait?: Gait;
  readonly person?: Person;
  /** A head and shoulders: shows the person named after it. */
  readonly isPortrait?: true;
  /** Top of the head, where hats sit. */
  readonly crown?: BodyPoint;
  /** Middle of the eyes, and the width of the head there. */
  readonly eyes?: BodyPoint & { readonly width: number };
  /** The seat on which other figures sit or stand. */
  readonly seat?: Seat;
  /** Whether the figure has a stem or post: figures under it stand beside the stem. */
  readonly hasStem?: true;
  /** The part of the body that wears the figure. */
  readonly worn?: 'head' | 'whole-head' | 'head-top' | 'eyes' | 'chest' | 'hair';
  readonly held?: Held;
  /** The kind that an animal wears when it is called after this one: a "dog astronaut" wears a helmet. */
  readonly costume?: string;
  /** An animal that can be called after a person ("dog astronaut") and then wears that person's costume. */
  readonly wearsCostumes?: true;
  /** Whether a figure named directly before this one rides it ("dog skateboarding"). */
  readonly impliesRider?: true;
  /** Names clothes when it follows a person: its colour is then the person's. */
  readonly isGarment?: true;
  /** How many a plural without a number means; 3 where not set. */
  readonly pluralCount?: number;
  /** Small things stand on it. */
  readonly isTable?: true;
  /** Printed flat on a plain background instead of standing there, this much larger than what stands. */
  readonly printedSize?: number;
  /** Sends out a turning beam of light in the dark, at this height. */
  readonly beam?: { readonly up: number };
  /** The role in a village seen from afar. */
  readonly village?: 'dwelling' | 'landmark';
  readonly growth?: Growth;
  /** The spots where the figure stands in places that it furnishes, by the place's name. */
  readonly furnishes?: Readonly<Record<string, readonly Spot[]>>;
}

export type FigureKinds = Readonly<Record<string, FigureKind>>;

export interface Habitat {
  readonly lives: 'land' | 'water' | 'air' | 'under' | 'space' | 'inside';
  /** Height as a picture's main subject, in units of the shorter side. */
  readonly size: number;
  /** Places where it is usually found; the seed picks one. */
  readonly home?: readonly string[];
  /** Whether the figure stands on a table rather than on the floor. */
  readonly tabletop?: true;
  /** Whether the figure also flies where the prompt says so. */
  readonly flies?: true;
  /** A picture that names it does not play in a room unless the prompt says so. */
  readonly outdoors?: true;
  /** Whether the figure is a building: like `outdoors`, and it is left out of rooms. */
  readonly building?: true;
  /** Floats in the air of rooms. */
  readonly floatsIndoors?: true;
  /** Lives under water, but comes to the surface: on "the sea" it is seen from above. */
  readonly surfaces?: true;
  /** A picture that names it plays in the snow. */
  readonly needsSnow?: true;
  /** Whether the figure stands at the wall of a room, and the room's window stands on it. */
  readonly underWindow?: true;
  /** Takes the place of the planet that a picture of space shows anyway. */
  readonly fillsSky?: true;
  /** The place where it starts from, when the prompt says that it moves. */
  readonly launchesFrom?: string;
  /** The hour of its picture where the prompt names none. */
  readonly timeOfDay?: TimeName;
}

/** How it moves in films. Speeds in world units a second. */
interface Gait {
  /** 0.05 where not set. */
  readonly flightSpeed?: number;
  /** How far it leans forward while it flies, in radians. */
  readonly flightTilt?: number;
  /** Drives in every film that shows it. */
  readonly driveSpeed?: number;
  /** Would fall over alone: it drives only with a rider, or where the prompt says so. */
  readonly needsRider?: true;
  /** How it walks on legs too short to see: height of a hop in parts of its height, lean in radians. */
  readonly hop?: { readonly height: number; readonly lean: number };
  readonly walksWhenRidden?: true;
}

/** Properties of people only. */
interface Person {
  /** Has legs to sit with and hands to hold things in. */
  readonly sits?: true;
  /** The colour of its clothes is its colour. */
  readonly dressed?: true;
  /** Features of its portrait; not set for those who are not portrayed by face. */
  readonly portrait?: readonly string[];
  /** Naming it twice means two of them ("a man and a man with a dog"). */
  readonly countedPerMention?: true;
}

/** A point of the body, in parts of the height: from the middle towards where it looks, and above the ground. */
export interface BodyPoint {
  readonly ahead: number;
  readonly up: number;
}

/** The seat of a figure, in fractions of the figure's height. */
export interface Seat {
  readonly top: number;
  /** How wide a stretch several share. */
  readonly width: number;
  /** Height of the tallest that fits. */
  readonly holds: number;
  /** How people sit on it; astride where not set. */
  readonly posture?: 'upright' | 'pedalling' | 'leaning' | 'aboard';
  /** People on it sit, also where the prompt says only "on". */
  readonly peopleSit?: true;
}

interface Held {
  /** People walk about with it: "a woman with an umbrella walking" walks herself. */
  readonly carried?: true;
  /** Held above the head by any person in the picture. */
  readonly overhead?: true;
  /** How it is held, in parts of the holder's height, where that is not the usual way. */
  readonly grip?: BodyPoint & { readonly size: number };
}

/** How it grows about as part of a place. */
interface Growth {
  /** How densely, 0 to 1, by the place's name. */
  readonly density: Readonly<Record<string, number>>;
  /** Scattered as figures. */
  readonly stand?: GrowthStand;
  /** Painted as a carpet of small marks instead. */
  readonly painted?: 'flowers';
  /** The kind that replaces it in autumn. */
  readonly inAutumn?: string;
}

interface GrowthStand {
  /** Between two plants at full density, in world units, for one in the foreground. */
  readonly spacing: number;
  readonly size: number;
  /** Rows, from the horizon (0) to the viewer (1). */
  readonly depths: readonly number[];
}

/** The position of a piece of furniture; units as in a figure. */
export type Spot = Pick<Figure, 'x' | 'y' | 'size' | 'lift'>;
