/** Reasons for a failed sign-in with the identity provider. The sign-in page shows a message for each. */
export type OidcErrorCode =
  /** The identity provider is unreachable or answers with an error. */
  | 'issuer_unavailable'
  /** The identity provider refused the sign-in, or the user cancelled it. */
  | 'issuer_refused'
  /** The response belongs to no sign-in of this browser, or arrived too late. */
  | 'expired'
  /** The response or id_token is invalid: wrong signature, audience or nonce. */
  | 'not_believed'
  /** The identity provider has not verified the email address. */
  | 'email_unverified'
  /** No user and no invitation has this address. */
  | 'no_user'

export class OidcError extends Error {
  readonly code: OidcErrorCode

  constructor(code: OidcErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OidcRefusal'
    this.code = code
  }
}
