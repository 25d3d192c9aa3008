import { nextAddress } from './addresses.ts'

// Kept by the tab while it is away at the identity provider, so that neither it nor the service is told.
const nextKey = 'groundwork-after-issuer'
const acceptedKey = 'groundwork-accepted-invitation'

export const rememberNext = (next: string): void => sessionStorage.setItem(nextKey, next)

/** Where the person wanted to go before the identity provider was asked. */
export const nextAfterIssuer = (): string => nextAddress(sessionStorage.getItem(nextKey) ?? undefined)

/** That the person accepts the invitation once signed in. */
export function rememberAccepted(token: string): void {
  rememberNext(`/app/invitation#${token}`)
  sessionStorage.setItem(acceptedKey, token)
}

/** Whether the person said so before; once. */
export function takeAccepted(token: string): boolean {
  const accepted = sessionStorage.getItem(acceptedKey) === token
  sessionStorage.removeItem(acceptedKey)
  return accepted
}
