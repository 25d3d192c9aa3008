/**
 * Where the browser goes that came back from the identity provider: to the sign-in page, which is told what came of it.
 * It knows itself where the person wanted to go, so no address is taken from outside.
 */
export function landing(answer: Response, outcome: string): Response {
  const headers = new Headers({ location: `/app/sign-in?${new URLSearchParams({ oidc: outcome }).toString()}` })
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Why nobody was signed in, as a code that the page has words for; `failed` for whatever else went wrong. */
export async function refusalIn(answer: Response): Promise<string> {
  if (answer.status === 429) return 'too_many'
  // The library answers some refusals without JSON: those have no code.
  const { code } = (await answer.json().catch(() => ({}))) as { code?: unknown }
  return answer.status < 500 || answer.status === 503 ? String(code) : 'failed'
}
