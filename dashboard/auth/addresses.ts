import { useSyncExternalStore } from 'react'

/** Returns the secret in the URL fragment, or an empty text if a link was cut within a `%`. Browsers do not send fragments to servers. */
function tokenInAddress(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1))
  } catch {
    return ''
  }
}

function onAddress(changed: () => void): () => void {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** Returns the secret in the URL fragment, also after another link was pasted into the open tab. */
export const useTokenInAddress = (): string => useSyncExternalStore(onAddress, tokenInAddress)

/** Returns the URL to open after sign-in. Rejects URLs outside the dashboard. */
export const nextAddress = (next: string | undefined): string => (next !== undefined && /^\/app\/(?![/\\])/.test(next) ? next : '/app/')

/** Opens a URL with a full page load, so that no data of the previous user stays in memory. */
export const goTo = (address: string): void => window.location.assign(address)
