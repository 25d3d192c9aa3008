/**
 * Redirects the browser from the OIDC callback to the sign-in page, with the outcome as a parameter. The page itself remembers
 * its destination, so no URL is taken from the request.
 */
export function signInRedirect(response: Response, outcome: string): Response {
  const headers = new Headers({ location: `/app/sign-in?${new URLSearchParams({ oidc: outcome }).toString()}` })
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Returns the error code that the sign-in page has a message for; `failed` for unexpected errors. */
export async function errorCodeOf(response: Response): Promise<string> {
  if (response.status === 429) return 'too_many'
  // Some errors of better-auth are not JSON and have no code.
  const { code } = (await response.json().catch(() => ({}))) as { code?: unknown }
  return response.status < 500 || response.status === 503 ? String(code) : 'failed'
}
