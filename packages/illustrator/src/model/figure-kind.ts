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
  /** Drawing while it walks or runs. */
  readonly walking?: Drawing;
  /** Drawing while it is in the air. */
  readonly flying?: Drawing;
  /** Drawing while it sleeps. */
  readonly asleep?: Drawing;
  /** Drawing if the prompt calls it old. */
  readonly aged?: Drawing;
  /** Returns the drawing for the features a prompt names, such as glasses. */
  readonly drawingFor?: (features: readonly string[]) => Drawing;
  /** Whether the main colour is that of the season's leaves. */
  readonly followsFoliage?: true;
  readonly gait?: Gait;
  readonly person?: Person;
  /** Whether it is a head and shoulders, which shows the person named after it. */
  readonly isPortrait?: true;
  /** Top of the head, where hats sit. */
  readonly crown?: BodyPoint;
  /** Middle of the eyes, and the width of the head there. */
  readonly eyes?: BodyPoint & { readonly width: number };
  /** The seat on which other figures sit or stand. */
  readonly seat?: Seat;
  /** Whether the figure has a stem or post: figures under it stand next to the stem. */
  readonly hasStem?: true;
  /** The part of the body that wears the figure. */
  readonly worn?: 'head' | 'whole-head' | 'head-top' | 'eyes' | 'chest' | 'hair';
  readonly held?: Held;
  /** The kind that an animal wears if this kind's name follows its own: a "dog astronaut" wears a helmet. */
  readonly costume?: string;
  /** Whether it is an animal that wears the costume of a person named with it ("dog astronaut"). */
  readonly wearsCostumes?: true;
  /** Whether a figure named directly before this one rides it ("dog skateboarding"). */
  readonly impliesRider?: true;
  /** Whether its name means clothes after a person: its colour is then the person's. */
  readonly isGarment?: true;
  /** Number of figures for a plural without a number. Default: 3. */
  readonly pluralCount?: number;
  /** Whether small things stand on it. */
  readonly isTable?: true;
  /** Enlargement if it is printed flat on a plain background instead of standing there. */
  readonly printedSize?: number;
  /** Height of a turning beam of light that it sends out in the dark. */
  readonly beam?: { readonly up: number };
  /** The role in a distant village. */
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
  /** Whether the figure also flies if the prompt says so. */
  readonly flies?: true;
  /** Whether a picture of it shows no room unless the prompt says so. */
  readonly outdoors?: true;
  /** Whether the figure is a building: like `outdoors`, and it is omitted from rooms. */
  readonly building?: true;
  /** Whether it floats in the air of rooms. */
  readonly floatsIndoors?: true;
  /** Whether it lives under water but comes to the surface: on "the sea" it is seen from above. */
  readonly surfaces?: true;
  /** Whether a picture of it shows snow. */
  readonly needsSnow?: true;
  /** Whether the figure stands at the wall of a room, and the room's window stands on it. */
  readonly underWindow?: true;
  /** Whether it replaces the planet in pictures of space. */
  readonly fillsSky?: true;
  /** The place where it starts if the prompt says that it moves. */
  readonly launchesFrom?: string;
  /** The hour of its picture if the prompt names none. */
  readonly timeOfDay?: TimeName;
}

/** Movement of a figure in films. Speeds are in world units per second. */
interface Gait {
  /** Speed of flight. Default: 0.05. */
  readonly flightSpeed?: number;
  /** Forward lean in flight, in radians. */
  readonly flightTilt?: number;
  /** Speed at which it drives in every film that shows it. */
  readonly driveSpeed?: number;
  /** Whether it would fall over alone: it drives only with a rider, or if the prompt says so. */
  readonly needsRider?: true;
  /** Walk on legs too short to see: height of a hop in fractions of its height, lean in radians. */
  readonly hop?: { readonly height: number; readonly lean: number };
  readonly walksWhenRidden?: true;
}

/** Properties of people only. */
interface Person {
  /** Whether the person has legs to sit and hands to hold things. */
  readonly sits?: true;
  /** Whether the colour of its clothes counts as its colour. */
  readonly dressed?: true;
  /** Features of its portrait; absent for persons that are not shown by their face. */
  readonly portrait?: readonly string[];
  /** Whether two mentions mean two persons ("a man and a man with a dog"). */
  readonly countedPerMention?: true;
}

/** A point of the body, in fractions of the height: `ahead` of the middle, where it looks, and `up` from the ground. */
export interface BodyPoint {
  readonly ahead: number;
  readonly up: number;
}

/** The seat of a figure, in fractions of the figure's height. */
export interface Seat {
  readonly top: number;
  /** Width that several figures share. */
  readonly width: number;
  /** Maximum height of a figure that fits. */
  readonly holds: number;
  /** Posture of people on it. Default: astride. */
  readonly posture?: 'upright' | 'pedalling' | 'leaning' | 'aboard';
  /** Whether people on it sit even if the prompt says only "on". */
  readonly peopleSit?: true;
}

interface Held {
  /** Whether people carry it while they walk: in "a woman with an umbrella walking", the woman walks. */
  readonly carried?: true;
  /** Whether any person in the picture holds it above the head. */
  readonly overhead?: true;
  /** Position and size when held, in fractions of the holder's height, if not the usual ones. */
  readonly grip?: BodyPoint & { readonly size: number };
}

/** Growth of a plant as part of a place. */
interface Growth {
  /** Density, 0 to 1, by the place's name. */
  readonly density: Readonly<Record<string, number>>;
  /** Distribution if it is scattered as figures. */
  readonly stand?: GrowthStand;
  /** Kind of small marks that are painted as a carpet instead of figures. */
  readonly painted?: 'flowers';
  /** The kind that replaces it in autumn. */
  readonly inAutumn?: string;
}

interface GrowthStand {
  /** Distance between two foreground plants at full density, in world units. */
  readonly spacing: number;
  readonly size: number;
  /** Rows, from the horizon (0) to the viewer (1). */
  readonly depths: readonly number[];
}

/** The position of a piece of furniture; units as in a figure. */
export type Spot = Pick<Figure, 'x' | 'y' | 'size' | 'lift'>;
