import { useState } from 'react'

/**
 * Returns props of a Select that draw its options when it has the focus, before a key opens it. Mantine draws them with the page
 * otherwise, and computes where they open: pages with many fields would draw hundreds of them.
 */
export function useOptionsOnFocus() {
  const [hasFocus, setFocus] = useState(false)
  return { comboboxProps: { keepMounted: hasFocus }, onFocus: () => setFocus(true) }
}
