import type { PageReading } from '../extract/read-page.ts'

const signInHost = /^(?:log-?in|sign-?in|sso|auth|accounts?|idp|identity|adfs|cas)\./i
const signInPath =
  /(?:^|[/_.-])(?:log-?in|sign-?in|log-?on|sso|saml2?|oauth2?|authorize|authenticate|authentication|auth|cas|anmelden|anmeldung|connexion|iniciar-sesion|sessions?\/new)(?:[/_.-]|$)/i

/** Returns whether the URL is named like that of a sign-in form. */
export function isNamedSignIn({ hostname, pathname }: URL): boolean {
  return signInHost.test(hostname) || signInPath.test(pathname)
}

/** Characters of a page with a form and some help. A longer page is one about sign-in, of a site with a form on every page. */
const maxFormText = 1_500

/** Returns whether a page of a site is a sign-in form, to which pages that are not public redirect. */
export function isSignInForm(url: URL, { facts, content }: PageReading): boolean {
  if (facts === null || facts.asksFor === null || !isNamedSignIn(url)) return false
  return 'code' in content || content.document.text.length <= maxFormText
}
