import { Alert, createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';
import { frameTexts } from './texts/frame.ts';

/** The accent colour: a darkroom's safelight. */
const safelight: MantineColorsTuple = [
  '#fff1ea',
  '#ffdfd0',
  '#ffc0a3',
  '#ff9e74',
  '#ff8653',
  '#ff7440',
  '#ec5a24',
  '#bd3f10',
  '#9a340f',
  '#7c1d0a',
];

/** Warm neutral colours, from light to dark. */
const dark: MantineColorsTuple = [
  '#f1ebe4',
  '#cfc4ba',
  '#ab9f94',
  '#82776d',
  '#463d36',
  '#342d28',
  '#28221e',
  '#1b1714',
  '#130f0d',
  '#0c0a08',
];
const gray: MantineColorsTuple = [
  '#faf7f3',
  '#f4efe8',
  '#eae2d8',
  '#ded3c6',
  '#cbbdae',
  '#a8998a',
  '#6f6256',
  '#55493f',
  '#3a312a',
  '#211b16',
];

/** Red that is dark enough for white text: shade 5 in the dark scheme, 7 in the light one. */
const red: MantineColorsTuple = [
  '#fff0ee',
  '#ffdcd8',
  '#ffbab3',
  '#ff9c92',
  '#ef6f62',
  '#d13d31',
  '#c43025',
  '#b3261e',
  '#931c16',
  '#731410',
];

export const theme = createTheme({
  primaryColor: 'safelight',
  primaryShade: { light: 7, dark: 5 },
  // The accent is bright in the dark scheme and deep in the light one; text on it follows.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isAccent = input.color === undefined || input.color === 'safelight';
    if (input.variant === 'filled' && isAccent) return { ...colors, color: 'var(--on-accent)' };
    return input.variant === 'subtle' && input.color === 'red'
      ? { ...colors, color: 'var(--mantine-color-error)' }
      : colors;
  },
  colors: { safelight, dark, gray, red },
  black: '#211b16',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontWeights: { regular: '400', medium: '500', bold: '650' },
  headings: {
    fontFamily: 'ui-serif, "New York", "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, serif',
    fontWeight: '500',
    sizes: { h1: { fontSize: '2rem', lineHeight: '1.15' }, h2: { fontSize: '1.375rem', lineHeight: '1.25' } },
  },
  components: {
    // A tint of the background, so that a note does not dominate the page.
    Alert: Alert.extend({
      vars: (theme, { color = theme.primaryColor }) => ({
        root: { '--alert-bg': `color-mix(in srgb, var(--mantine-color-${color}-6) 14%, transparent)` },
      }),
    }),
    Tooltip: {
      defaultProps: { openDelay: 350, multiline: true, maw: 300, events: { hover: true, focus: true, touch: true } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': frameTexts.close },
        overlayProps: { backgroundOpacity: 0.62, blur: 3 },
        radius: 'lg',
      },
      classNames: { title: 'dialog-title' },
    },
    // A header inside a dialog is no landmark: a page has one banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': frameTexts.close } } },
    Popover: { defaultProps: { shadow: 'lg', radius: 'md' } },
    // A closed field needs no list in the document.
    Combobox: { defaultProps: { keepMounted: false } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Menu: { defaultProps: { shadow: 'lg', radius: 'md' } },
    Skeleton: { defaultProps: { radius: 'md' } },
  },
});
