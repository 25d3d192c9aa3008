const prefix = 'The code of a page is missing. '

/**
 * Lets the error page handle code that cannot be loaded. The router would reload the page, which fails without a connection, if the
 * message began as that of the browser.
 */
export function keepRouterFromReloading(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if ('payload' in event && event.payload instanceof Error) event.payload.message = `${prefix}${event.payload.message}`
  })
}

/** Returns whether an error says that a file of the dashboard could not be loaded. */
export const isCodeMissing = (error: unknown): error is Error =>
  error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)

/** Loads styles that could not be loaded before. The code that needs them would not ask for them a second time. */
export function loadStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (!hasRules(link)) link.replaceWith(link.cloneNode())
  }
}

/** Chromium gives a file that could not be loaded a sheet whose rules cannot be read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0
  } catch {
    return false
  }
}

/** Returns whether the server responds to a request for the missing file, also if it has no such file any more. */
export async function doesServerRespond(error: Error): Promise<boolean> {
  const [file = '/app/'] = /\S*\/app\/assets\/\S+/.exec(error.message) ?? []
  try {
    const { status } = await fetch(file, { method: 'HEAD', cache: 'no-store' })
    // A proxy in front of a stopped server responds with 502, 503 or 504.
    return status < 500
  } catch {
    return false
  }
}

const reloadedKey = 'groundwork-reloaded'

/** Reloads the page for the current version. Returns false if the same file was missing before, so that a reload does not help. */
export function reloadOnce({ message }: Error): boolean {
  if (sessionStorage.getItem(reloadedKey) === message) return false
  sessionStorage.setItem(reloadedKey, message)
  window.location.reload()
  return true
}
