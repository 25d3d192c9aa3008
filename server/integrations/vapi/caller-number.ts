/**
 * Returns the phone number of a caller: a number, or the user of a SIP address if it is an international number. Undefined for other
 * values, such as `anonymous` and the name of a SIP user.
 */
export function callerNumber(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const address = /^\s*(?:(?:sips?|tel):)?([^@;]*)(?:[@;].*)?$/is.exec(value)
  const number = address?.[1]?.trim() ?? ''
  const isAddress = /[:@]/.test(value)
  const pattern = isAddress ? /^\+[1-9]\d{6,14}$/ : /^\+?[\d\s().-]{3,30}$/
  return pattern.test(number) ? number : undefined
}
