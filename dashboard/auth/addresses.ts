/** The secret behind the # of an address: it is sent to no server on the way. */
export const tokenInAddress = (): string => decodeURIComponent(window.location.hash.slice(1))

/** Where to go once signed in. An address of elsewhere is none. */
export const nextAddress = (next: string | undefined): string => (next !== undefined && /^\/app\/(?![/\\])/.test(next) ? next : '/app/')

/** Begins anew, so that nothing of who was there before stays in memory. */
export const goTo = (address: string): void => window.location.assign(address)
