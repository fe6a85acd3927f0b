import type { Random } from '../model/random.ts';
import type { LightSource, TimeName, Weather } from '../model/scene.ts';
import type { Reading } from '../prompt/reading.ts';

/** Calm weather: a light wind, and nothing else. */
export const CALM: Weather = {
  clouds: 0,
  rain: 0,
  snow: 0,
  fog: 0,
  wind: 0.2,
  lightning: 0,
  stars: 0,
  aurora: 0,
  rainbow: 0,
};

/** Chooses clouds, rain, snow, fog and other weather. */
export function chooseWeather(reading: Reading, time: TimeName, random: Random): Weather {
  const has = (name: string): boolean => reading.weather.includes(name);
  const dark = time === 'night' ? 1 : time === 'dusk' ? 0.5 : time === 'dawn' ? 0.18 : 0;
  const clouds = has('clear')
    ? 0.1
    : has('storm')
      ? 1
      : has('rain') || has('snow')
        ? 0.8
        : has('clouds')
          ? 0.75
          : random.between(0.2, 0.5);
  return {
    clouds: has('stars') || has('aurora') ? Math.min(clouds, 0.15) : clouds,
    rain: has('storm') ? 0.9 : has('rain') ? 0.65 : 0,
    snow: has('snow') ? 0.7 : 0,
    fog: has('fog') ? 0.75 : random.between(0, 0.18),
    wind: has('wind') || has('storm') ? 0.9 : random.between(0.15, 0.45),
    lightning: has('storm') ? 1 : 0,
    stars: has('stars') ? Math.max(dark, 0.9) : dark,
    aurora: has('aurora') ? 1 : 0,
    rainbow: has('rainbow') ? 1 : 0,
  };
}

const LIGHT_HEIGHTS: Readonly<Record<TimeName, readonly [number, number]>> = {
  dawn: [0.88, 0.99],
  morning: [0.45, 0.62],
  day: [0.2, 0.34],
  afternoon: [0.55, 0.72],
  sunset: [0.8, 0.95],
  dusk: [1.02, 1.06],
  night: [0.2, 0.42],
};

/** Places the sun or moon; null if clouds hide it. */
export function chooseLight(reading: Reading, time: TimeName, random: Random): LightSource | null {
  const [high, low] = LIGHT_HEIGHTS[time];
  const x = random.between(0.2, 0.62) * (random.chance(0.5) ? 1 : -1);
  const light: LightSource = {
    kind: time === 'night' ? 'moon' : 'sun',
    x,
    y: random.between(high, low),
    size: (time === 'day' ? 0.055 : 0.075) * random.between(0.9, 1.25),
  };
  const hidden = ['rain', 'storm'].some((each) => reading.weather.includes(each));
  const veiled = time === 'day' && ['fog', 'snow'].some((each) => reading.weather.includes(each));
  return (hidden && time !== 'night') || veiled ? null : light;
}
