export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

/** As in public/first-paint.js, which applies the stored choice before the first paint and follows changes in other tabs. */
const storageKey = 'groundwork-density'

export const currentDensity = (): Density => (document.documentElement.dataset['density'] === 'compact' ? 'compact' : 'comfortable')

/** Applies the density to the page, and keeps it in this browser as the theme is kept. */
export function chooseDensity(density: Density): void {
  document.documentElement.dataset['density'] = density
  try {
    localStorage.setItem(storageKey, density)
  } catch {
    // Without local storage, the choice lasts until the page is closed.
  }
}
