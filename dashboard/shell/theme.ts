import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const pine: MantineColorsTuple = [
  '#e9f6f4',
  '#d5ebe8',
  '#abd7d1',
  '#7dc2b9',
  '#57b0a5',
  '#3fa498',
  '#2f9085',
  '#1c7a70',
  '#0b665d',
  '#06534b',
]
/** The default shades 8 and 9 of Mantine are too light for text on white. */
const green: MantineColorsTuple = [
  '#ebfbee',
  '#d3f9d8',
  '#b2f2bb',
  '#8ce99a',
  '#69db7c',
  '#51cf66',
  '#40c057',
  '#2f9e44',
  '#23743a',
  '#1c602f',
]
const yellow: MantineColorsTuple = [
  '#fff9db',
  '#fff3bf',
  '#ffec99',
  '#ffe066',
  '#ffd43b',
  '#fcc419',
  '#fab005',
  '#f59f00',
  '#8f5200',
  '#7a4600',
]
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d93636',
  '#c22525',
  '#a61e1e',
]

export const theme = createTheme({
  colors: { pine, green, yellow, red },
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // Everything on a page is inside of a landmark: lists, menus and tooltips open in the main one, not behind it in the body.
    Popover: { defaultProps: { portalProps: { target: 'main' } } },
    Tooltip: { defaultProps: { portalProps: { target: 'main' } } },
    // The default gets the focus in an element that menus may not contain. Without it, the first item has the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // A header element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // People type names and text in every script. The first letter decides on which side it begins.
    ...Object.fromEntries(
      ['TextInput', 'Textarea', 'Select', 'MultiSelect', 'TagsInput', 'Autocomplete'].map((name) => [
        name,
        {
          // Lists of options are made when they open. Pages with many fields would draw hundreds of options. For Select, see useOptionsOnFocus.
          defaultProps: {
            dir: 'auto',
            // The list itself scrolls (shell.css), which the keys of its field do. A scroll area inside of it would need a tab stop.
            ...(!['TextInput', 'Textarea'].includes(name) && { withScrollArea: false }),
            ...(['MultiSelect', 'TagsInput', 'Autocomplete'].includes(name) && { comboboxProps: { keepMounted: false } }),
          },
        },
      ]),
    ),
  },
  respectReducedMotion: true,
  focusRing: 'auto',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem', lineHeight: '1.4' } },
  },
})

/** Dimmed text, placeholders and errors have a contrast of at least 4.5 on all backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-8)',
    '--page': 'var(--mantine-color-body)',
    '--accent': 'var(--mantine-color-pine-8)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--page': '#1a1a1a',
    '--accent': 'var(--mantine-color-pine-4)',
  },
})
