import { nextAddress } from './addresses.ts'

// Kept in session storage during the visit to the identity provider. Neither the provider nor the server sees these values.
const nextKey = 'groundwork-after-issuer'
const acceptedKey = 'groundwork-accepted-invitation'

export const rememberNext = (next: string): void => sessionStorage.setItem(nextKey, next)

/** Returns the URL that the user requested before the visit to the identity provider. */
export const nextAfterIssuer = (): string => nextAddress(sessionStorage.getItem(nextKey) ?? undefined)

/** Remembers that the user accepts the invitation after sign-in. */
export function rememberAccepted(token: string): void {
  rememberNext(`/app/invitation#${token}`)
  sessionStorage.setItem(acceptedKey, token)
}

/** Returns whether the user accepted the invitation before sign-in, and forgets it. */
export function takeAccepted(token: string): boolean {
  const accepted = sessionStorage.getItem(acceptedKey) === token
  sessionStorage.removeItem(acceptedKey)
  return accepted
}
