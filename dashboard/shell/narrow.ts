import { useMediaQuery } from '@mantine/hooks'

/** Returns whether the window is as narrow as a phone, which the breakpoint `sm` of the theme separates from wider ones. */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
