/** Why nobody was signed in by the identity provider, as the sign-in page is told. */
export type OidcRefusalCode =
  /** It cannot be reached, or is out of order. */
  | 'issuer_unavailable'
  /** It did not let the person in, or the person turned back. */
  | 'issuer_refused'
  /** The answer belongs to no sign-in that this browser began, or came too late. */
  | 'expired'
  /** What it said is not signed by it, not for this service, or not of this sign-in. */
  | 'not_believed'
  /** It has not verified the person's e-mail address. */
  | 'email_unverified'
  /** Neither a user nor an invitation has the address. */
  | 'no_user'

export class OidcRefusal extends Error {
  readonly code: OidcRefusalCode

  constructor(code: OidcRefusalCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OidcRefusal'
    this.code = code
  }
}
