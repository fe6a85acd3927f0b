export { createDarkroom, type DarkroomProvider, type DarkroomProviderSettings, darkroom } from './darkroom-provider.ts';
